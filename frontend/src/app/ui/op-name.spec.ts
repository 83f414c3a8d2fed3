import { TestBed } from '@angular/core/testing';
import { expect, it } from 'vitest';
import { OpName, saysType, splitName } from './op-name';

const LONG = 'sequential_1/dense_1/Cast/ReadVariableOp:0';

function show(name: string): HTMLElement {
  const fixture = TestBed.createComponent(OpName);
  fixture.componentRef.setInput('name', name);
  fixture.detectChanges();
  return fixture.nativeElement as HTMLElement;
}

/** What a screen reader reads. */
function read(element: HTMLElement): string {
  const texts = [...element.children].filter((child) => child.ariaHidden !== 'true');
  return texts.map((text) => text.textContent).join(' ');
}

it('cuts a long name in its middle, and reads it as one', () => {
  const element = show(LONG);
  expect(element.querySelector('.start')?.textContent).toBe('sequenti');
  expect(element.querySelector('.end')?.textContent).toBe('al_1/dense_1/Cast/ReadVariableOp:0');
  expect(read(element)).toBe(LONG);
});

it('keeps a first scope whole that is short', () => {
  expect(splitName('while/cond/while/Placeholder_1:0').start).toBe('while/');
});

it('leaves a short name whole', () => {
  const element = show('MatMul_1:0');
  expect(element.querySelector('.start')).toBeNull();
  expect(read(element)).toBe('MatMul_1:0');
});

it('cuts between letters, never within one', () => {
  const name = '𝛼'.repeat(20);
  const { start, end } = splitName(name);
  expect(start).toBe('𝛼'.repeat(8));
  expect(start + end).toBe(name);
});

it.each([
  ['gradients/Sum_1', 'Sum', true],
  ['div_no_nan', 'DivNoNan', true],
  ['add', 'AddV2', false],
  ['Log/x', 'Log', false],
])('knows whether the name %s says the type %s', (name, type, says) => {
  expect(saysType(name, type)).toBe(says);
});
