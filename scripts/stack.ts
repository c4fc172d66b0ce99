import { text } from 'node:stream/consumers';
import { sourceStack } from './build/source-stack.ts';

/**
 * `npm run -s stack -- FUNCTION < FILE`: lines of a function's log, or a stack from them, with the places in the sources. Check
 * out the version that has written them.
 */

const [functionName] = process.argv.slice(2);
if (!functionName)
  throw new Error('Name the function, as in the log: npm run -s stack -- billwright-get-product < FILE');
console.log(await sourceStack(functionName, (await text(process.stdin)).replaceAll('\\n', '\n')));
