/** Reads one source file's imports and the names it uses, from TypeScript's own syntax tree; comments and strings never count. */
import ts from "typescript";

export interface SourceImport {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly line: number;
}

export interface SourceUse {
  /** `Date.now`, `window.topas`, `Promise`, `await`, `async` … */
  readonly name: string;
  readonly line: number;
}

export interface Source {
  readonly file: string;
  readonly imports: readonly SourceImport[];
  readonly uses: readonly SourceUse[];
}

export function readSource(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const imports: SourceImport[] = [];
  const uses: SourceUse[] = [];
  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found !== null) imports.push({ ...found, line: lineOf(node) });
    const name = useOf(node);
    if (name !== null) uses.push({ name, line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { file, imports, uses };
}

/** All the ways one file can name another: import, export … from, import(), import("…").Type, require(). */
function importOf(node: ts.Node): Omit<SourceImport, "line"> | null {
  if (ts.isImportDeclaration(node)) return named(node.moduleSpecifier, isTypeOnly(node.importClause));
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return named(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return named(node.argument.literal, true);
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return named(node.moduleReference.expression, node.isTypeOnly);
  }
  if (!ts.isCallExpression(node)) return null;
  const loads = node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === "require";
  return loads ? named(node.arguments[0], false) : null;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.every((element) => element.isTypeOnly);
}

/** A computed name is kept as its text, so that no table can allow it. */
function named(specifier: ts.Node | undefined, typeOnly: boolean): Omit<SourceImport, "line"> {
  const text =
    specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : `computed: ${specifier?.getText()}`;
  return { specifier: text, typeOnly };
}

function useOf(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return "async";
  if (ts.isAwaitExpression(node)) return "await";
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return `${node.expression.text}.${node.name.text}`;
  if (
    ts.isElementAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    ts.isStringLiteralLike(node.argumentExpression)
  ) {
    return `${node.expression.text}.${node.argumentExpression.text}`;
  }
  if (!ts.isIdentifier(node) || isCounted(node) || isMemberName(node)) return null;
  return node.text;
}

/** The left side of `Date.now`, counted with its member. */
function isCounted(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return ts.isElementAccessExpression(parent) && ts.isStringLiteralLike(parent.argumentExpression);
}

/** The name after a dot or before a colon is a member's, not a global's. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) &&
    parent.name === node
  );
}
