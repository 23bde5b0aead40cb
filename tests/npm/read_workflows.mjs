// Reads workflows and action.yml files as GitHub does: a line for each finding, exit 1 for any.
//   node tests/npm/read_workflows.mjs tests/npm/node_modules FILE...
import {readFile} from 'node:fs/promises';
import {register} from 'node:module';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [packages, ...paths] = process.argv.slice(2);

// The packages lie where the caller says. They import JSON in a way of bundlers, not of node.
const hooks = `
import {readFile} from 'node:fs/promises';
let ours;
export function initialize(given) { ours = given; }
export function resolve(name, context, next) {
  const asked = context.parentURL === ours.script && !name.startsWith('node:');
  return next(name, asked ? {...context, parentURL: ours.packages} : context);
}
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.json')) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  return {format: 'module', shortCircuit: true, source: 'export default ' + text};
}`;
register('data:text/javascript,' + encodeURIComponent(hooks), {
  parentURL: import.meta.url,
  data: {script: import.meta.url, packages: pathToFileURL(resolve(packages, 'any.js')).href},
});
const {registerLogger, validate} = await import('@actions/languageservice');
const {TextDocument} = await import('vscode-languageserver-textdocument');

// What it cannot cope with it tells to its log alone, and finds nothing.
const fail = (text) => { throw new Error(text); };
registerLogger({error: fail, warn: fail, info() {}, log() {}});

for (const path of paths) {
  const text = await readFile(path, 'utf8');
  const document = TextDocument.create(pathToFileURL(path).href, 'yaml', 0, text);
  for (const {message, range} of await validate(document, {})) {
    console.log(`${path}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
    process.exitCode = 1;
  }
}
