import ts from 'typescript';

/**
 * Where a file touches the console or the environment, however it gets there: as a property, by an import, or by taking
 * `process` apart.
 *
 * @param {ts.SourceFile} source
 * @returns {{ name: 'console' | 'process.env', node: ts.Node }[]}
 */
export function hostGlobals(source) {
  const found = [];
  const processNames = new Set(['process', ...namesOfModule(source, /^(node:)?process$/)]);
  const visit = (node) => {
    if (reachesEnvironment(node, processNames)) found.push({ name: 'process.env', node });
    if (isConsole(node)) found.push({ name: 'console', node });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The names under which a file imports a whole module. */
function namesOfModule(source, specifier) {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !specifier.test(statement.moduleSpecifier.text)) return [];
    const { name, namedBindings } = statement.importClause ?? {};
    return [name, namedBindings && ts.isNamespaceImport(namedBindings) ? namedBindings.name : undefined].flatMap((one) => one?.text ?? []);
  });
}

function reachesEnvironment(node, processNames) {
  const isProcess = (owner) => owner !== undefined && meansProcess(owner, processNames);
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === 'env' && (isProcess(node.expression) || ts.isMetaProperty(node.expression));
  if (ts.isElementAccessExpression(node)) return isText(node.argumentExpression, /^env$/) && isProcess(node.expression);
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
    const { moduleSpecifier } = ts.findAncestor(node, (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one));
    return originalName(node) === 'env' && isText(moduleSpecifier, /^(node:)?process$/);
  }
  // `const { env } = process`, `({ env } = process) => …`, `const { process: { env } } = globalThis`.
  if (ts.isBindingElement(node) && originalName(node) === 'env') {
    const holder = node.parent.parent;
    return (ts.isBindingElement(holder) && originalName(holder) === 'process') || isProcess(holder.initializer);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isObjectLiteralExpression(node.left)) {
    return node.left.properties.some((one) => one.name?.getText() === 'env') && isProcess(node.right);
  }
  return false;
}

/** True for `process`, `globalThis.process`, `(globalThis as Host).process`, and its module by any name. */
function meansProcess(node, names) {
  const inner = unwrapped(node);
  if (ts.isIdentifier(inner)) return names.has(inner.text);
  if (ts.isPropertyAccessExpression(inner)) return inner.name.text === 'process' && isGlobalThis(inner.expression);
  if (!ts.isCallExpression(inner) || !isText(inner.arguments[0], /^(node:)?process$/)) return false;
  return inner.expression.kind === ts.SyntaxKind.ImportKeyword || inner.expression.getText() === 'require';
}

/** True for the global where it is used, handed on or taken apart; a property of that name is another thing. */
function isConsole(node) {
  if (!ts.isIdentifier(node) || node.text !== 'console') return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return isGlobalThis(parent.expression);
  return !('name' in parent && parent.name === node) && !('propertyName' in parent && parent.propertyName === node);
}

function unwrapped(node) {
  const wraps =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAwaitExpression(node);
  return wraps ? unwrapped(node.expression) : node;
}

const isGlobalThis = (node) => unwrapped(node).getText() === 'globalThis';
const isText = (node, pattern) => node !== undefined && ts.isStringLiteralLike(node) && pattern.test(node.text);
const originalName = (element) => (element.propertyName ?? element.name).getText();
