import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename } from 'node:path';
import { stop } from 'esbuild';
import { bundlesWithMaps } from './build.ts';

const LAMBDA_FOLDER = '/var/task/';

/**
 * A stack of a function with the places in our sources. A bundle has no map, since most builds would make it in vain:
 * it is made again with one. Where the code of a bundle here is another by now, the stack stays as it is. Whether that is so on
 * Lambda is not looked at.
 */
export async function sourceStack(functionName: string, stack: string): Promise<string> {
  const files = await bundlesWithMaps(functionName);
  await stop();
  const textOf = (file: string) => files.find(({ path }) => basename(path) === file)?.text;
  const placeInSources = (place: string): string => {
    const [path = '', line, column] = place.split(':');
    const map = textOf(`${basename(path)}.map`);
    const isSame =
      path.startsWith(LAMBDA_FOLDER) || (existsSync(path) && readFileSync(path, 'utf8') === textOf(basename(path)));
    if (!map || !isSame) return place;
    const entry = new SourceMap(JSON.parse(map)).findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return place;
    return `${entry.originalSource.replaceAll('../', '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  return stack.replace(/(?<=\(|at )\/[^\s()"]+(?=\)?(?:$|"))/gm, placeInSources);
}
