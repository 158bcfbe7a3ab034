// What the server says of a kernel, and what the panel and its view tell each other.

export interface Field {
  key: string;
  label: string;
  value: string;
  range: string;
  source: string;
  changed: boolean;
  choices: string[];
}

export interface Picture {
  title: string;
  svg: string;
  head: string[];
  rows: string[][];
}

export interface Content {
  kernel: string;
  line: number;
  own: string;
  device: string;
  arch: string;
  said: string;
  what_if: string;
  fault: string;
  fields: Field[];
  pictures: Picture[];
  colours: [string, string][];
  limits: { limit: string; needs: string; allows: string; binds: boolean }[];
  bars: { id: string; name: string; said: string; percent: number | null }[];
}

/** What becomes of the changes in the source; without a key, why nothing does. */
export interface Apply {
  key: string;
  title: string;
}

export interface DeviceName {
  id: string;
  name: string;
  maker: string;
}

/** What a person chose in the panel; it survives a reload of the window. */
export interface Tried {
  uri: string;
  kernel: string;
  device: string;
  beside: string;
  changes: Record<string, string>;
}

export type ToView =
  | { type: 'content'; content: Content; tried: Tried }
  | { type: 'apply'; apply: Apply | null }
  | { type: 'devices'; devices: DeviceName[] }
  | { type: 'nothing'; why: string };

export type FromView =
  | { type: 'ready'; tried?: Tried }
  | { type: 'change'; key: string; value: string }
  | { type: 'device' | 'beside'; id: string }
  | { type: 'reset' | 'apply' | 'go' };
