import { expect, it } from 'vitest';
import { graphNames } from './facets';

it('tells graphs of one name apart by a part of their ids', () => {
  const graph = (graph_id: string, graph_name: string | null) => ({
    graph_id,
    graph_name,
    num_events: 1,
  });
  const names = graphNames([
    graph('aaaaaaaa11', '__inference_loss_fn_1'),
    graph('bbbbbbbb22', '__inference_loss_fn_7'),
    graph('cccccccc33', '__backward_loss_fn_9'),
    graph('dddddddd44', null),
  ]);
  expect([...names.values()]).toEqual([
    'loss_fn (aaaaaa)',
    'loss_fn (bbbbbb)',
    'backward loss_fn',
    'session',
  ]);
});
