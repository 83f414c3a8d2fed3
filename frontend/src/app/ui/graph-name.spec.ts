import { describe, expect, it } from 'vitest';
import { graphText } from './graph-name';

describe('graphText', () => {
  it.each([
    ['loss_fn', 'loss_fn'],
    ['__backward_dense_layer_127', 'backward dense_layer'],
    ['__inference___backward_model_105_224', 'backward model'],
    ['__forward_model_223', 'model'],
    ['__inference_größe_函数_10', 'größe_函数'],
    ['while_body_8', 'while_body_8'],
    ['<lambda>', '<lambda>'],
    [null, 'session'],
  ])('%s -> %s', (name, text) => {
    expect(graphText(name)).toBe(text);
  });
});
