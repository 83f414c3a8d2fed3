import { signal } from '@angular/core';
import { expect, it } from 'vitest';
import { chosenSize, initialSizes } from './layout';

it('shares a window of any width among the panes', () => {
  expect(initialSizes(1600, 936)).toEqual({
    alerts: 320,
    timeline: 216,
    graphExecutions: 560,
    bottom: 262,
    stackTrace: 560,
  });
  const narrow = initialSizes(1000, 700);
  expect(1000 - narrow.alerts - narrow.graphExecutions).toBeGreaterThan(300);
});

it('leaves most of a low window’s centre to the graph', () => {
  const { timeline, bottom } = initialSizes(1280, 656);
  expect(656 - timeline - bottom).toBeGreaterThan(1.7 * timeline);
});

it('follows the window until the user chooses a size', () => {
  const initial = signal(200);
  const size = chosenSize(initial);
  expect(size()).toBe(200);
  initial.set(300);
  expect(size()).toBe(300);
  size.set(250);
  initial.set(400);
  expect(size()).toBe(250);
});
