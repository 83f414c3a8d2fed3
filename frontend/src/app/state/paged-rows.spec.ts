import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PagedRows } from './paged-rows';

/** A table whose row i is "row i", read over a wire that takes 100 ms a page. */
class SlowTable {
  readonly asked: string[] = [];
  readonly aborted: string[] = [];
  failing = false;
  milliseconds = 100;

  readonly fetchPage = (begin: number, end: number, signal: AbortSignal): Promise<string[]> => {
    const page = `${begin}-${end}`;
    this.asked.push(page);
    signal.addEventListener('abort', () => this.aborted.push(page));
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        if (signal.aborted) reject(new DOMException('aborted', 'AbortError'));
        else if (this.failing) reject(new Error('disk on fire'));
        else resolve(Array.from({ length: end - begin }, (_, i) => `row ${begin + i}`));
      }, this.milliseconds);
    });
  };
}

describe('PagedRows', () => {
  let table: SlowTable;
  let rows: PagedRows<string>;

  function open(total: number, options: { lookahead?: number; keptPages?: number } = {}): void {
    rows = new PagedRows({ fetchPage: table.fetchPage, pageSize: 10, lookahead: 0, ...options });
    rows.setTotal(total);
  }

  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  beforeEach(() => {
    vi.useFakeTimers();
    table = new SlowTable();
  });

  afterEach(() => {
    rows.dispose();
    vi.useRealTimers();
  });

  it('loads the pages in view', async () => {
    open(1000);
    rows.show(15, 25);
    expect(rows.rows()).toEqual(Array.from({ length: 10 }, () => undefined));
    expect(rows.loading()).toBe(true);
    await pass(100);
    expect(table.asked).toEqual(['10-20', '20-30']);
    expect(rows.rows()[0]).toBe('row 15');
    expect(rows.rows()[9]).toBe('row 24');
    expect(rows.row(29)).toBe('row 29');
    expect(rows.row(30)).toBeUndefined();
    expect(rows.loading()).toBe(false);
  });

  it('asks for nothing before it is shown, and never beyond the end', async () => {
    open(25);
    await pass(1000);
    expect(table.asked).toEqual([]);
    rows.show(0, 500);
    await pass(100);
    expect(table.asked).toEqual(['0-10', '10-20', '20-25']);
    expect(rows.rows()).toHaveLength(25);
    rows.show(400, 500);
    expect(rows.rows()).toEqual([]);
  });

  it('loads ahead on both sides once the pages in view have come', async () => {
    open(1000, { lookahead: 10 });
    rows.show(500, 510);
    expect(table.asked).toEqual(['500-510']);
    await pass(100);
    expect(table.asked).toEqual(['500-510', '490-500', '510-520']);
    await pass(100);
    rows.show(505, 515);
    expect(table.asked.at(-1)).toBe('520-530');
  });

  it('loads nothing beside what a jump passes by, however fast the answers are', async () => {
    open(100_000, { lookahead: 10 });
    rows.show(0, 10);
    await pass(500);
    table.asked.length = 0;
    table.milliseconds = 5;
    for (let frame = 1; frame < 5; frame++) {
      rows.show(frame * 1000, frame * 1000 + 10);
      await pass(16);
    }
    expect(table.asked).toEqual(['1000-1010', '2000-2010', '3000-3010', '4000-4010']);
    await pass(100);
    expect(table.asked.slice(4)).toEqual(['3990-4000', '4010-4020']);
  });

  it('asks seldom while a scroll outruns the answers, and at once for where it ends', async () => {
    open(100_000, { lookahead: 10 });
    for (let frame = 0; frame < 60; frame++) {
      rows.show(frame * 1000, frame * 1000 + 10);
      await pass(16);
    }
    expect(table.asked.length).toBeLessThanOrEqual(11);
    expect(table.aborted.length).toBeGreaterThanOrEqual(table.asked.length - 1);
    await pass(200);
    expect(rows.row(59_000)).toBe('row 59000');
  });

  it('asks at once where a scroll has rested', async () => {
    open(1000);
    rows.show(0, 10);
    await pass(50);
    rows.show(500, 510);
    await pass(1000);
    rows.show(800, 810);
    expect(table.asked.at(-1)).toBe('800-810');
  });

  it('begins no request after it was disposed of', async () => {
    open(1000);
    rows.show(0, 10);
    rows.show(500, 510);
    rows.dispose();
    await pass(1000);
    expect(table.asked).toEqual(['0-10']);
  });

  it('asks once for a page however often it is shown', async () => {
    open(1000);
    rows.show(0, 10);
    rows.show(2, 10);
    await pass(50);
    rows.show(0, 10);
    await pass(100);
    rows.show(0, 10);
    expect(table.asked).toEqual(['0-10']);
  });

  it('aborts what is no longer wanted and ignores its answer', async () => {
    open(1000);
    rows.show(0, 10);
    await pass(50);
    rows.show(500, 510);
    expect(table.aborted).toEqual(['0-10']);
    await pass(200);
    expect(rows.row(0)).toBeUndefined();
    expect(rows.row(500)).toBe('row 500');
    rows.show(0, 10);
    await pass(100);
    expect(rows.row(0)).toBe('row 0');
  });

  it('shows a failure, tries again ever more rarely, and heals', async () => {
    open(1000);
    table.failing = true;
    rows.show(0, 10);
    await pass(100);
    expect(rows.failure()).toBe('disk on fire');
    expect(table.asked).toHaveLength(1);
    await pass(1100);
    expect(table.asked).toHaveLength(2);
    await pass(1100);
    expect(table.asked).toHaveLength(2);
    await pass(1000);
    expect(table.asked).toHaveLength(3);
    await pass(600_000);
    const before = table.asked.length;
    await pass(60_000);
    expect(table.asked.length - before).toBeLessThanOrEqual(2);
    table.failing = false;
    await pass(31_000);
    expect(rows.failure()).toBeNull();
    expect(rows.row(0)).toBe('row 0');
  });

  it('tries again at once when asked to', async () => {
    open(1000);
    table.failing = true;
    rows.show(0, 10);
    await pass(100);
    table.failing = false;
    rows.retry();
    await pass(100);
    expect(rows.failure()).toBeNull();
    expect(rows.row(0)).toBe('row 0');
    await pass(60_000);
    expect(table.asked).toHaveLength(2);
  });

  it('does not hammer a failing page while the user scrolls', async () => {
    open(1000);
    table.failing = true;
    rows.show(0, 10);
    await pass(100);
    for (let i = 0; i < 9; i++) rows.show(0, 10 - i);
    expect(table.asked).toHaveLength(1);
  });

  it('gives up trying a page that left the view', async () => {
    open(1000);
    table.failing = true;
    rows.show(0, 10);
    await pass(100);
    table.failing = false;
    rows.show(500, 510);
    await pass(60_000);
    expect(table.asked).toEqual(['0-10', '500-510']);
    expect(rows.failure()).toBeNull();
  });

  it('keeps a bounded number of pages, those last seen', async () => {
    open(1000, { keptPages: 2 });
    for (const begin of [0, 10, 20, 0, 30]) {
      rows.show(begin, begin + 10);
      await pass(100);
    }
    expect(rows.row(0)).toBe('row 0');
    expect(rows.row(10)).toBeUndefined();
    expect(rows.row(20)).toBe('row 20');
    expect(rows.row(30)).toBe('row 30');
  });

  it('loads the longer last page when the table grows, and shows the shorter meanwhile', async () => {
    open(25);
    rows.show(20, 30);
    await pass(100);
    rows.setTotal(28);
    rows.show(20, 30);
    expect(rows.row(24)).toBe('row 24');
    expect(rows.row(25)).toBeUndefined();
    await pass(100);
    expect(table.asked).toEqual(['20-25', '20-28']);
    expect(rows.row(27)).toBe('row 27');
  });

  it('asks anew when the table grows during a request for its last page', async () => {
    open(25);
    rows.show(20, 30);
    await pass(50);
    rows.setTotal(40);
    await pass(200);
    expect(table.asked).toEqual(['20-25', '20-30']);
    expect(table.aborted).toEqual(['20-25']);
    expect(rows.row(29)).toBe('row 29');
  });

  it('does not ask anew for whole pages when the table grows', async () => {
    open(25);
    rows.show(0, 20);
    await pass(100);
    rows.setTotal(500);
    await pass(100);
    expect(table.asked).toEqual(['0-10', '10-20']);
  });

  it('asks again for outdated rows, and shows them until the answer is there', async () => {
    open(100);
    rows.show(0, 10);
    await pass(100);
    rows.show(20, 30);
    await pass(50);
    rows.outdate();
    rows.show(20, 30);
    expect(table.aborted).toEqual(['20-30']);
    expect(rows.row(0)).toBe('row 0');
    await pass(100);
    expect(table.asked).toEqual(['0-10', '20-30', '20-30']);
    rows.show(0, 10);
    expect(rows.row(0)).toBe('row 0');
    expect(table.asked).toHaveLength(4);
    await pass(100);
    rows.show(0, 10);
    expect(table.asked).toHaveLength(4);
  });

  it('forgets all when the table shrinks or is another', async () => {
    open(100);
    rows.show(0, 10);
    await pass(100);
    rows.setTotal(50);
    expect(rows.row(0)).toBeUndefined();
    await pass(100);
    expect(rows.row(0)).toBe('row 0');
    rows.reset();
    expect(rows.row(0)).toBeUndefined();
    expect(rows.total()).toBe(0);
    await pass(1000);
    expect(table.asked).toEqual(['0-10', '0-10']);
  });

  it('shows another table of the same length where the former one was looked at', async () => {
    open(100);
    rows.show(20, 30);
    await pass(100);
    rows.reset();
    rows.setTotal(100);
    await pass(100);
    expect(rows.row(20)).toBe('row 20');
    expect(table.asked).toEqual(['20-30', '20-30']);
  });

  it('aborts all when disposed of', () => {
    open(100);
    rows.show(0, 20);
    rows.dispose();
    expect(table.aborted).toEqual(['0-10', '10-20']);
  });
});
