import { Apply, Content, DeviceName, Field, FromView, Picture, ToView, Tried } from './content';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void; getState(): Tried | undefined; setState(state: Tried): void };

const editor = acquireVsCodeApi();
const main = document.querySelector('main')!;

type Attributes = Record<string, string | ((event: Event) => void)>;

/** An element with its children; what is a function listens to the event of that name. Texts are never markup. */
function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: (Node | string)[]) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else made.addEventListener(name, value);
  }
  made.append(...children);
  return made;
}

const place = {
  kernel: element('button', { class: 'link', type: 'button', title: 'Go to the kernel', click: () => editor.postMessage({ type: 'go' }) }),
  said: element('p'),
  what_if: element('p', { class: 'what-if', role: 'status' }),
  fault: element('p', { class: 'fault', role: 'alert' }),
  fields: element('div', { class: 'fields' }),
  reset: element('button', { type: 'button', click: () => editor.postMessage({ type: 'reset' }) }, 'Reset'),
  apply: element('div', { class: 'apply' }),
  pictures: element('div', { class: 'pictures' }),
  legend: element('ul', { class: 'legend', 'aria-label': 'What limits' }),
  limits: element('section'),
  bars: element('section'),
};
const device = chooser('device', '');
const beside = chooser('beside', 'None');
const page = [
  element('h1', {}, place.kernel),
  place.said,
  place.what_if,
  place.fault,
  element('form', { submit: (event) => event.preventDefault() },
    element('div', { class: 'fields devices' }, element('label', { for: 'device' }, 'Device'), device, element('label', { for: 'beside' }, 'Compare with'), beside),
    place.fields,
    element('div', { class: 'buttons' }, place.reset)),
  place.apply,
  place.pictures,
  place.legend,
  place.limits,
  place.bars,
];

function chooser(which: 'device' | 'beside', none: string) {
  const made = element('select', { id: which, change: () => editor.postMessage({ type: which, id: made.value }) });
  made.append(element('option', { value: '' }, none));
  return made;
}

window.addEventListener('message', ({ data }: MessageEvent<ToView>) => {
  if (data.type === 'content') show(data.content, data.tried);
  if (data.type === 'apply') showApply(data.apply);
  if (data.type === 'devices') offer(data.devices);
  if (data.type === 'nothing') main.replaceChildren(element('p', {}, data.why));
});
editor.postMessage({ type: 'ready', tried: editor.getState() });

function offer(devices: DeviceName[]) {
  const makers = [...new Set(devices.map(({ maker }) => maker))];
  for (const list of [device, beside]) {
    list.replaceChildren(list.options[0], ...makers.map((maker) => group(maker, devices.filter((it) => it.maker === maker))));
    list.value = tried?.[list === device ? 'device' : 'beside'] ?? '';
  }
  showLegend(colours);
}

function group(maker: string, devices: DeviceName[]) {
  return element('optgroup', { label: maker }, ...devices.map(({ id, name }) => element('option', { value: id }, name)));
}

let tried: Tried | undefined;

function show(content: Content, now: Tried) {
  tried = now;
  editor.setState(tried);
  if (!place.kernel.isConnected) main.replaceChildren(...page);
  place.kernel.textContent = content.kernel;
  place.said.textContent = content.said;
  place.what_if.textContent = content.what_if && `What if: ${content.what_if}`;
  place.fault.textContent = content.fault;
  device.options[0].textContent = `${content.own} (this file)`;
  device.value = tried.device;
  beside.value = tried.beside;
  showFields(content.fields);
  place.reset.hidden = !Object.keys(tried.changes).length;
  // It is said a little later; until then what was said of other values stays, so that nothing jumps.
  if (Object.keys(tried.changes).length) place.apply.inert = true;
  else showApply(null);
  showPictures(content.pictures);
  showLegend(content.colours);
  place.limits.replaceChildren(...(content.limits.length ? [element('h2', {}, 'Limits'), limits(content)] : []));
  place.bars.replaceChildren(...(content.bars.length ? [element('h2', {}, 'Chosen devices'), bars(content)] : []));
}

let colours: Content['colours'] = [];

function showLegend(shown: Content['colours']) {
  colours = shown;
  const line = beside.value ? [element('li', { class: 'line' }, beside.selectedOptions[0].text)] : [];
  place.legend.replaceChildren(...colours.map(([name, said]) => element('li', { class: name }, said)), ...line);
}

// -- fields: made once for a kind of device, and never written into while somebody types there

let latest: Field[] = [];
const inputs = new Map<string, { input: HTMLInputElement | HTMLSelectElement; source: HTMLElement }>();

function showFields(fields: Field[]) {
  latest = fields;
  const known = [...inputs.keys()].join();
  if (known !== fields.map(({ key }) => key).join()) makeFields(fields);
  for (const field of fields) {
    const { input, source } = inputs.get(field.key)!;
    if (input !== document.activeElement) input.value = field.value;
    input.classList.toggle('changed', field.changed);
    if (input instanceof HTMLInputElement) input.placeholder = field.range;
    else input.options[0].textContent = field.range || 'as the source says';
    source.textContent = field.changed ? `the source: ${field.range}` : field.source;
  }
}

function makeFields(fields: Field[]) {
  inputs.clear();
  place.fields.replaceChildren(
    ...fields.flatMap(({ key, label, choices }) => {
      const id = `field-${key}`;
      const change = (event: Event) => editor.postMessage({ type: 'change', key, value: (event.target as HTMLInputElement).value });
      const common = { id, 'aria-describedby': `${id}-source`, input: change, blur: () => showFields(latest) };
      const input = choices.length
        ? element('select', common, element('option', { value: '' }, ''), ...choices.map((it) => element('option', { value: it }, it)))
        : element('input', { ...common, inputmode: 'numeric', autocomplete: 'off' });
      const source = element('small', { id: `${id}-source` });
      inputs.set(key, { input, source });
      return [element('label', { for: id }, label), element('div', {}, input, source)];
    }),
  );
}

// -- what the source allows

function showApply(apply: Apply | null) {
  place.apply.inert = false;
  if (!apply) return place.apply.replaceChildren();
  if (!apply.key) return place.apply.replaceChildren(element('p', {}, apply.title));
  const button = element('button', { type: 'button', click: () => editor.postMessage({ type: 'apply' }) }, 'Apply');
  place.apply.replaceChildren(button, element('span', {}, apply.title));
}

// -- charts, each with the table that says the same

const pictures = new Map<string, { figure: HTMLElement; drawing: HTMLElement; table: HTMLElement }>();

function showPictures(shown: Picture[]) {
  for (const { title, svg, head, rows } of shown) {
    if (!pictures.has(title)) pictures.set(title, makePicture(title));
    const { drawing, table } = pictures.get(title)!;
    drawing.replaceChildren(document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true));
    table.replaceChildren(...tableRows(head, rows));
  }
  const wanted = shown.map(({ title }) => pictures.get(title)!.figure);
  const there = [...place.pictures.children];
  if (wanted.length !== there.length || wanted.some((it, at) => it !== there[at])) place.pictures.replaceChildren(...wanted);
}

function makePicture(title: string) {
  const drawing = element('div');
  const table = element('table', { 'aria-label': title });
  const figure = element('figure', {}, element('figcaption', {}, title), drawing, element('details', {}, element('summary', {}, 'Show as a table'), table));
  return { figure, drawing, table };
}

function tableRows(head: string[], rows: string[][]) {
  const cells = (kind: 'th' | 'td', row: string[]) => row.map((it) => element(kind, kind === 'th' ? { scope: 'col' } : {}, it));
  return [element('thead', {}, element('tr', {}, ...cells('th', head))), element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells('td', row))))];
}

function limits(content: Content) {
  const rows = content.limits.map(({ limit, needs, allows, binds }) => {
    const cells = [limit, needs, allows].map((it) => element('td', {}, it));
    return element('tr', binds ? { class: 'binds' } : {}, ...cells);
  });
  const head = ['limit', 'needs', 'allows'].map((it) => element('th', { scope: 'col' }, it));
  return element('table', { 'aria-label': 'Limits' }, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows));
}

function bars(content: Content) {
  const rows = content.bars.map(({ name, said, percent }) =>
    element('tr', {}, element('td', {}, name), element('td', {}, ...(percent === null ? [] : [meter(percent)])), element('td', {}, said)),
  );
  return element('table', { 'aria-label': 'Chosen devices' }, element('tbody', {}, ...rows));
}

function meter(percent: number) {
  return element('meter', { min: '0', max: '100', value: String(percent), title: `${percent}%` });
}
