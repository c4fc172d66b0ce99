import typescript, { type ExportDeclaration, type Node, type SourceFile, type Statement } from 'typescript';
import { describe, expect, it } from 'vitest';
import { importedModule, modulesIn, sourceOf } from './modules.ts';

const ts = typescript;

/** Lambda and Vitest call by their names what these export. */
const CALLED_BY_NAME = /^(functions|test\/support\/fixture-app\/handlers)\/|^test\/support\/global-setup\.ts$/;

/** Stands for all that a module exports. */
const ALL = '*';

/** The names that a module exports, but for types that it uses itself: these describe what else it exports. */
function exportsOf(source: SourceFile): string[] {
  const used = usedIn(source);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return passedOn(statement).map(({ name }) => name.text);
    if (!isExported(statement)) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(namesIn);
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      const { text } = statement.name;
      return used.has(text) ? [] : text;
    }
    const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return isNamed && statement.name ? statement.name.text : [];
  });
}

/** A face exports what lies beside it. */
function passedOn({ exportClause }: ExportDeclaration) {
  return exportClause && ts.isNamedExports(exportClause) ? exportClause.elements : [];
}

function isExported(statement: Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : [];
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** A declaration may take an object apart. */
function namesIn({ name }: { readonly name: Node }): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return ts.isObjectBindingPattern(name) ? name.elements.flatMap(namesIn) : [];
}

/** The identifiers of a module that it has more than once. */
function usedIn(source: SourceFile): ReadonlySet<string> {
  const [met, used] = [new Set<string>(), new Set<string>()];
  const visit = (node: Node): void => {
    if (ts.isIdentifier(node)) (met.has(node.text) ? used : met).add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return used;
}

/** What a module imports, each as a path from the root and a name. */
function importsOf(source: SourceFile): string[] {
  const imports: string[] = [];
  const add = (specifier: Node | undefined, names: readonly string[]) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return;
    const module = importedModule(source.fileName, specifier.text);
    imports.push(...names.map((name) => `${module} ${name}`));
  };
  const visit = (node: Node): void => {
    const called = ts.isVariableDeclaration(node) ? importedBy(node.initializer) : undefined;
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      add(node.moduleSpecifier, bindings && ts.isNamedImports(bindings) ? bindings.elements.map(importedName) : [ALL]);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, passedOn(node).map(importedName));
    } else if (called && ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
      add(called, node.name.elements.map(importedName));
    } else {
      add(importedBy(node), [ALL]);
      ts.forEachChild(node, visit);
    }
  };
  visit(source);
  return imports;
}

/** The specifier of `import('...')`, awaited or not, or of `typeof import('...')`. */
function importedBy(node: Node | undefined): Node | undefined {
  if (node && ts.isAwaitExpression(node)) return importedBy(node.expression);
  if (node && ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isCall = node && ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isCall ? node.arguments[0] : undefined;
}

function importedName({ name, propertyName }: { readonly name: Node; readonly propertyName?: Node }): string {
  const imported = propertyName ?? name;
  return ts.isIdentifier(imported) ? imported.text : ALL;
}

describe('exports', () => {
  it('are all imported by another module', () => {
    const sources = modulesIn(['shared', 'functions', 'infra', 'scripts', 'test']).map((file) =>
      ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.Latest),
    );
    const imported = new Set(sources.flatMap(importsOf));
    const unused = sources
      .filter(({ fileName }) => !CALLED_BY_NAME.test(fileName) && !imported.has(`${fileName} ${ALL}`))
      .flatMap((source) => exportsOf(source).map((name) => `${source.fileName} ${name}`))
      .filter((each) => !imported.has(each));
    expect(unused).toEqual([]);
  });
});
