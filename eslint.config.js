// Lint rules of the front end, among them who may import whom: api < state, host, ui < panes < app.
import js from '@eslint/js';
import angular from 'angular-eslint';
import tseslint from 'typescript-eslint';

const panes = [
  'alerts',
  'timeline',
  'graph-executions',
  'graph-structure',
  'source-code',
  'stack-trace',
];

/** Forbids the files of one folder to import from the folders named. */
function layer(folder, forbidden) {
  return {
    files: [`frontend/src/app/${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${forbidden.join('|')})(/|$)`,
              message: `${folder}/ may import lower layers only: api < host < state < ui < one folder a pane < app`,
            },
          ],
        },
      ],
    },
  };
}

const above = [...panes, 'toolbar', 'app'];

export default tseslint.config(
  { ignores: ['**/schema.ts'] },
  {
    files: ['**/*.js'],
    extends: [js.configs.recommended],
  },
  {
    files: ['frontend/**/*.ts'],
    extends: [
      js.configs.recommended,
      ...tseslint.configs.strict,
      ...tseslint.configs.stylistic,
      ...angular.configs.tsRecommended,
    ],
    processor: angular.processInlineTemplates,
    rules: {
      '@angular-eslint/component-selector': [
        'error',
        [
          { type: 'element', prefix: 'tbd', style: 'kebab-case' },
          { type: 'attribute', prefix: 'tbd', style: 'camelCase' },
        ],
      ],
      '@angular-eslint/directive-selector': [
        'error',
        { type: 'attribute', prefix: 'tbd', style: 'camelCase' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 450, skipBlankLines: true }],
    },
    languageOptions: {
      parserOptions: {
        project: ['frontend/tsconfig.spec.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    files: ['frontend/**/*.html'],
    extends: [...angular.configs.templateRecommended, ...angular.configs.templateAccessibility],
  },
  layer('api', ['host', 'state', 'ui', ...above]),
  layer('host', ['api', 'state', 'ui', ...above]),
  layer('state', ['ui', ...above]),
  layer('ui', above),
  ...panes.map((pane) =>
    layer(
      pane,
      above.filter((folder) => folder !== pane),
    ),
  ),
);
