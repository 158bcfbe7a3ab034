import { languages, TextDocument, TextDocumentChangeEvent } from 'vscode';
import { Middleware } from 'vscode-languageclient/node';
import needs from './needs.json';

// Of languages most of whose files have no kernels: each that has some has one of these words, by which the server knows it.
const NEEDED = new Map(
  Object.entries(needs).map(([language, words]) => [language, new RegExp(words.map((word) => word.replace(/\W/g, '\\$&')).join('|'))]),
);

export const SELECTOR = [
  ...['cuda-cpp', 'cuda', 'hip', 'opencl', 'glsl', 'hlsl', 'slang', 'wgsl', 'metal', ...NEEDED.keys()].map((language) => ({ language })),
  { pattern: '**/*.{cu,cuh,hip,hip.cpp,cl,clh,ocl,sycl,comp,glsl,hlsl,hlsli,compute,slang,slangh,wgsl,metal}' },
  // The server says something of these only where a kernel or a launch stands in them.
  { pattern: '**/*.{h,hpp,hxx,cpp,cc,cxx,inl,c}' },
  { pattern: '**/*.occupancy.yaml' },
];

/** Whether the server may have something to say of a document: of Python and the like, only where a kernel can stand. */
export function concerns(document: TextDocument): boolean {
  return NEEDED.get(document.languageId)?.test(document.getText()) ?? languages.match(SELECTOR, document) > 0;
}

/** Whether this edit made the document one that the server may say something of. */
export function concernsNow({ document, contentChanges }: TextDocumentChangeEvent): boolean {
  const edited = contentChanges.map(({ range, text }) => document.lineAt(Math.min(range.start.line, document.lineCount - 1)).text + text);
  const needed = NEEDED.get(document.languageId);
  return !!needed && edited.some((text) => needed.test(text));
}

/** Files in Python and the like reach the server once they may have kernels: it neither reads the others nor is asked about them. */
export function onlyConcerning(open: (document: TextDocument) => Promise<void>): Middleware {
  const told = new WeakSet<TextDocument>();
  const knows = (document: TextDocument) => !NEEDED.has(document.languageId) || told.has(document);
  const only = async (document: TextDocument, ...rest: any[]) => {
    const next = rest.pop();
    return knows(document) ? next(document, ...rest) : undefined;
  };
  return {
    didOpen: async (document, next) => {
      if (!concerns(document)) return;
      told.add(document);
      await next(document);
    },
    didChange: async (event, next) => {
      if (knows(event.document)) return next(event);
      if (!concernsNow(event)) return;
      told.add(event.document);
      await open(event.document);
    },
    didClose: async (document, next) => {
      if (knows(document)) await next(document);
      told.delete(document);
    },
    didSave: only,
    provideHover: only,
    provideInlayHints: only,
    provideCodeLenses: only,
    provideDefinition: only,
    provideReferences: only,
    provideDocumentSymbols: only,
    provideCodeActions: only,
    provideCompletionItem: only,
    provideDiagnostics: async (document, previous, token, next) => ('uri' in document && !knows(document) ? undefined : next(document, previous, token)),
  };
}
