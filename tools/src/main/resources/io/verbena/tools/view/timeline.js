// The timeline: a lane for each program, queue pair and sender. Its axis is the time, or the order of the events: between
// a few messages there may be seconds. The canvas is as tall as what is in sight and stays there while the lanes scroll:
// browsers draw nothing on one that is too tall.

const LANE = 28;
const AXIS = 24;
const FEW = 400; // so many events are drawn one by one, with names and lines

class Timeline {
  constructor(model, filter, canvas, onPick) {
    Object.assign(this, { model, filter, canvas, onPick });
    this.byOrder = model.count <= FEW * 5;
    this.chosen = -1;
    this.story = { flows: [], events: new Set() };
    this.focus = null; // the lanes to show, when all would be too many
    this.top = 0;
    this.space = canvas.parentElement;
    this.scroller = this.space.parentElement;
    this.fillRows();
    this.showAll();
    this.listen();
  }

  get labels() { return this.width < 600 ? 128 : 190; }

  // The place of an event on the axis.
  at(i) { return this.byOrder ? this.filter.rank[i] : this.model.time[i]; }

  get last() { return Math.max(1, this.byOrder ? this.filter.shown.length - 1 : this.model.end); }

  // The lanes that have shown events, and for each lane its row.
  fillRows() {
    const { model, filter } = this;
    const used = new Uint8Array(model.lanes.length);
    for (const i of filter.shown) used[model.lane[i]] = 1;
    model.lanes.forEach((lane, n) => {
      if (lane.note && !filter.isOn) used[n] = 1; // has no events and says why
      if (this.focus && !this.focus.has(n)) used[n] = 0;
    });
    this.rowOf = new Int32Array(model.lanes.length).fill(-1);
    this.rows = [];
    used.forEach((is, lane) => { if (is) { this.rowOf[lane] = this.rows.length; this.rows.push(lane); } });
    this.space.style.height = this.tallest + 'px';
  }

  // What is not shown takes no room.
  refilter() {
    this.focus = null;
    this.fillRows();
    if (this.byOrder) this.showAll();
    this.draw();
  }

  showAll() {
    const margin = this.last * 0.02 + (this.byOrder ? 0.5 : 0);
    this.from = -margin;
    this.to = this.last + margin;
  }

  setAxis(byOrder) {
    this.byOrder = byOrder;
    this.showAll();
    if (this.chosen >= 0) this.reveal(this.chosen);
    this.draw();
  }

  // The chosen event stays where it is, or the middle of what is in sight.
  get anchor() {
    const x = this.chosen >= 0 && this.filter.mask[this.chosen] ? this.x(this.at(this.chosen)) : -1;
    return x >= this.labels && x <= this.width ? x : this.labels + (this.width - this.labels) / 2;
  }

  zoom(factor, x = this.anchor) {
    const middle = this.value(x);
    const least = this.byOrder ? 4 : 1000;
    const most = this.last * 1.1 + 1;
    const range = Math.min(most, Math.max(least, (this.to - this.from) * factor));
    const part = (middle - this.from) / (this.to - this.from);
    this.from = middle - range * part;
    this.to = this.from + range;
    this.draw();
  }

  pan(pixels) {
    const range = this.to - this.from;
    let from = this.from + pixels * range / (this.width - this.labels);
    from = Math.max(-range / 2, Math.min(this.last - range / 2, from));
    this.from = from;
    this.to = from + range;
    this.draw();
  }

  // Moves the chosen event into sight.
  reveal(i) {
    const at = this.at(i);
    const range = this.to - this.from;
    if (at < this.from + range * 0.05 || at > this.to - range * 0.05) {
      this.from = at - range / 2;
      this.to = at + range / 2;
    }
    const view = this.scroller;
    const y = Math.max(0, this.rowOf[this.model.lane[i]]) * LANE; // below the axis, which does not scroll
    const tall = view.clientHeight - AXIS;
    if (y < view.scrollTop || y + LANE > view.scrollTop + tall) view.scrollTop = y - tall / 2;
  }

  // story: what belongs to the event.
  choose(i, story) {
    this.chosen = i;
    this.story = story;
    if (this.focus && !this.focus.has(this.model.lane[i])) this.focusOn(null);
    this.reveal(i);
    this.draw();
  }

  focusOn(lanes) {
    this.focus = lanes;
    this.fillRows();
  }

  isSeen(i) { return this.filter.mask[i] && this.rowOf[this.model.lane[i]] >= 0; }

  // Shows the moment of these events, of which i is the chosen one: both sides, and those far from it only if they fit.
  frame(events, i) {
    const { rank } = this.filter;
    this.focusOn(null);
    const shown = events.filter(e => this.isSeen(e));
    if (!shown.length) return;
    const lanes = new Set(shown.map(e => this.model.lane[e]));
    const rows = Array.from(lanes, lane => this.rowOf[lane]);
    const top = Math.min(...rows);
    const tall = (Math.max(...rows) - top + 1) * LANE;
    if (tall > this.scroller.clientHeight - AXIS) {
      this.focusOn(lanes);
      this.scroller.scrollTop = 0;
    } else if (tall < this.tallest) {
      this.scroller.scrollTop = top * LANE;
    }
    let [first, last] = [0, shown.length - 1];
    while (first < last && rank[shown[last]] - rank[shown[first]] > FEW) {
      if (Math.abs(rank[i] - rank[shown[first]]) > Math.abs(rank[shown[last]] - rank[i])) first++; else last--;
    }
    const [from, to] = [this.at(shown[first]), this.at(shown[last])];
    const part = (to - from) * 0.1;
    const margin = this.byOrder ? Math.max(2, Math.ceil(part)) + 0.5 : Math.max(part, 1000); // no mark on the edge
    this.from = from - margin;
    this.to = to + margin;
    this.draw();
  }

  x(at) { return this.labels + (at - this.from) / (this.to - this.from) * (this.width - this.labels); }

  value(x) { return this.from + (x - this.labels) / (this.width - this.labels) * (this.to - this.from); }

  // On the canvas.
  y(i) { return this.laneTop(this.rowOf[this.model.lane[i]]) + LANE / 2; }

  // Of a row.
  laneTop(n) { return AXIS + n * LANE - this.top; }

  get tallest() { return AXIS + Math.max(1, this.rows.length) * LANE + 6; }

  // The rows in sight: from the first to before the last.
  lanesInSight() {
    const last = Math.ceil((this.top + this.height - AXIS) / LANE);
    return [Math.floor(this.top / LANE), Math.min(this.rows.length, last)];
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paintCanvas(); });
  }

  paintCanvas() {
    const ratio = devicePixelRatio || 1;
    this.width = Math.max(240, this.scroller.clientWidth);
    this.height = Math.min(this.tallest, this.scroller.clientHeight);
    this.top = this.scroller.scrollTop;
    const [w, h] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
      this.canvas.style.width = this.width + 'px';
      this.canvas.style.height = this.height + 'px';
    }
    const context = this.canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint(new CanvasPainter(context));
  }

  // With all lanes, a heading and a legend; light, as for paper.
  svg() {
    const { model, top, height } = this;
    const c = COLORS.light;
    const measure = new CanvasPainter(this.canvas.getContext('2d'));
    Object.assign(this, { top: 0, height: this.tallest });
    const lines = this.headLines(c);
    const head = 24 + 17 * (lines.length + 1);
    const painter = new SvgPainter(this.width, head + this.height + 26, (words, bold) => measure.width(words, bold));
    painter.rect(0, 0, this.width, head + this.height + 26, c.back);
    painter.text(6, 17, this.fit(painter, model.title, this.width - 12, true), c.text, true);
    const start = new Date(Number(BigInt(model.startNs) / 1000000n)).toISOString();
    const part = this.filter.isOn ? `, ${this.filter.shown.length} of them shown` : '';
    painter.text(6, 34, `from ${start}, ${milliseconds(model.end)} ms, ${model.count} events${part}`, c.soft);
    lines.forEach(([x, words, color], n) => painter.text(x, 51 + 17 * n, this.fit(painter, words, this.width - x - 6), color));
    painter.move(head);
    this.paint(painter, c);
    paintLegend(painter, c, this.height + 12);
    painter.moveBack();
    Object.assign(this, { top, height });
    return painter.document(model.title);
  }

  // Findings, with the facts of the first one.
  headLines(c) {
    const colorOf = finding => finding.level === 3 ? c.bad : finding.level === 2 ? c.warn : c.soft;
    return this.model.findings.slice(0, 5).flatMap((finding, n) => [[6, finding.title, colorOf(finding)]]
      .concat(n ? [] : finding.facts.map(([name, value]) => [22, `${name}: ${value}`, c.text])));
  }

  paint(painter, c = colors()) {
    painter.rect(0, 0, this.width, this.height, c.back);
    painter.clip(0, AXIS, this.width, this.height - AXIS);
    this.paintLanes(painter, c);
    painter.unclip();
    painter.line(this.labels, 0, this.labels, this.height, c.line);
    if (this.byOrder) painter.text(6, 16, 'distance is not time', c.soft);
    painter.clip(this.labels, 0, this.width - this.labels, this.height);
    this.paintAxis(painter, c);
    painter.unclip();
    painter.clip(this.labels, AXIS, this.width - this.labels, this.height - AXIS);
    const [first, last] = this.range();
    if (last - first <= FEW * 4) this.paintFew(painter, c, first, last); else this.paintMany(painter, c, first, last);
    this.paintStory(painter, c);
    this.paintNotes(painter, c);
    if (last - first <= FEW * 4) paintCaptions(painter, c, this.model, this.marks(first, last), this.labels, this.width);
    painter.unclip();
    painter.clip(this.labels, AXIS - 10, this.width - this.labels, this.height); // those of the first lane reach into the axis
    this.paintNumbers(painter, c, this.story.finding ? this.story.finding.steps : []);
    painter.unclip();
  }

  // Which of the shown events are in sight: from the first to before the last.
  range() {
    const { shown, rank } = this.filter;
    if (this.byOrder) return [Math.max(0, Math.floor(this.from)), Math.min(shown.length, Math.ceil(this.to) + 1)];
    const before = time => {
      const i = firstAt(this.model.time, time);
      return i < rank.length ? rank[i] : shown.length;
    };
    return [before(this.from), before(this.to)];
  }

  paintLanes(painter, c) {
    const [first, last] = this.lanesInSight();
    for (let row = first; row < last; row++) {
      const lane = this.model.lanes[this.rows[row]];
      const y = this.laneTop(row);
      if (lane.group === 'wire') painter.rect(0, y, this.width, LANE, c.band);
      painter.line(0, y, this.width, y, c.line);
      painter.text(6, y + LANE / 2 + 4, this.fitLane(painter, lane.title, this.labels - 10), c.text);
    }
    if (!this.rows.length) painter.text(this.labels + 9, AXIS + LANE / 2 + 4, 'Nothing is found by these filters.', c.soft);
  }

  // Why a lane is empty.
  paintNotes(painter, c) {
    const [first, last] = this.lanesInSight();
    for (let row = first; row < last; row++) {
      const { note } = this.model.lanes[this.rows[row]];
      if (!note) continue;
      const words = this.fit(painter, note, this.width - this.labels - 12);
      painter.rect(this.labels + 8, this.laneTop(row) + 8, painter.width(words) + 2, 12, c.band);
      painter.text(this.labels + 9, this.laneTop(row) + LANE / 2 + 4, words, c.soft);
    }
  }

  fit(painter, words, width, bold = false) {
    if (painter.width(words, bold) <= width) return words;
    let end = words.length;
    while (end > 1 && painter.width(words.slice(0, end) + '…', bold) > width) end--;
    return words.slice(0, end) + '…';
  }

  // Names of lanes that are too long lose their middle: whose it is is at the beginning, the queue pair at the end.
  fitLane(painter, name, width) {
    if (painter.width(name) <= width) return name;
    let left = name.length - 1;
    const shorter = () => name.slice(0, Math.floor(left / 2)) + '…' + name.slice(name.length - Math.ceil(left / 2));
    while (left > 2 && painter.width(shorter()) > width) left--;
    return shorter();
  }

  paintAxis(painter, c) {
    if (!this.filter.shown.length) return;
    const range = this.to - this.from;
    const ticks = Math.max(2, Math.floor((this.width - this.labels) / 110));
    const power = Math.pow(10, Math.floor(Math.log10(range / ticks)));
    let step = [1, 2, 5, 10].map(m => m * power).find(s => range / s <= ticks);
    if (this.byOrder) step = Math.max(1, Math.round(step));
    const { shown } = this.filter;
    const end = Math.min(this.to, this.last);
    const first = Math.ceil(Math.max(0, this.from) / step);
    // Counted: far from the start a step may be too small to change the time that it is added to.
    for (let n = 0; n <= ticks && (first + n) * step <= end; n++) {
      const at = (first + n) * step;
      const x = this.x(at);
      painter.line(x, AXIS - 4, x, this.height, c.line);
      const ns = this.byOrder ? this.model.time[shown[Math.min(shown.length - 1, at)]] : at;
      const digits = step >= 1e6 && !this.byOrder ? 0 : 3;
      const words = (ns / 1e6).toFixed(digits) + ' ms';
      if (x + 3 + painter.width(words) < this.width) painter.text(x + 3, 16, words, c.soft);
    }
  }

  paintFew(painter, c, first, last) {
    const marks = this.marks(first, last);
    if (marks.length <= FEW) this.paintMessages(painter, c, marks.map(mark => mark.i));
    for (const { i, x, y } of marks) this.mark(painter, c, i, x, y);
  }

  marks(first, last) {
    const drawn = this.filter.shown.subarray(first, last).filter(i => this.isSeen(i));
    return Array.from(drawn, i => ({ i, x: this.x(this.at(i)), y: this.y(i) }));
  }

  mark(painter, c, i, x, y) {
    drawMark(painter, c, this.model.kind[i], this.model.level[i], isHollow(this.model, i), x, y);
  }

  // Thin lines between the events of each request.
  paintMessages(painter, c, drawn) {
    const seen = new Map();
    for (const i of drawn) {
      const flow = this.model.flow[i];
      if (flow < 0) continue;
      const before = seen.get(flow);
      if (before !== undefined && this.model.lane[before] !== this.model.lane[i]) {
        painter.line(this.x(this.at(before)), this.y(before), this.x(this.at(i)), this.y(i), c.faint);
      }
      seen.set(flow, i);
    }
  }

  // So many that marks would cover each other: the worst level of each pixel, higher where there are more.
  paintMany(painter, c, first, last) {
    const model = this.model;
    const columns = Math.ceil(this.width - this.labels);
    const [top, bottom] = this.lanesInSight();
    const counts = new Uint32Array(columns * (bottom - top));
    const worst = new Uint8Array(counts.length);
    const scale = (this.width - this.labels) / (this.to - this.from);
    const { shown } = this.filter;
    const { lane, level, kind, time } = model;
    const { rowOf } = this;
    for (let n = first; n < last; n++) {
      const i = shown[n];
      const row = rowOf[lane[i]];
      if (row < top || row >= bottom) continue;
      const column = ((this.byOrder ? n : time[i]) - this.from) * scale | 0;
      if (column < 0 || column >= columns) continue;
      const at = (row - top) * columns + column;
      counts[at]++;
      const rank = level[i] * 8 + kind[i] + 1;
      if (rank > worst[at]) worst[at] = rank;
    }
    for (let n = top; n < bottom; n++) this.paintColumns(painter, c, n, (n - top) * columns, columns, counts, worst);
  }

  paintColumns(painter, c, n, base, columns, counts, worst) {
    const colorOf = rank => rank > 24 ? c.bad : rank > 16 ? c.warn : c[SHAPES[(rank - 1) % 8]];
    for (let start = 0; start < columns;) {
      const [rank, count] = [worst[base + start], counts[base + start]];
      let end = start + 1;
      const tall = Math.min(22, 6 + 3 * Math.log2(count + 1));
      while (end < columns && worst[base + end] === rank
        && Math.abs(Math.min(22, 6 + 3 * Math.log2(counts[base + end] + 1)) - tall) < 2) end++;
      if (rank) {
        const y = this.laneTop(n) + LANE / 2 - tall / 2;
        painter.rect(this.labels + start, y, end - start, tall, colorOf(rank));
      }
      start = end;
    }
  }

  // The ways of the requests, and rings around what else belongs to the finding.
  paintStory(painter, c) {
    const { flows, finding } = this.story;
    const seen = flows.flatMap(flow => this.paintFlow(painter, c, flow));
    seen.forEach(i => this.mark(painter, c, i, this.x(this.at(i)), this.y(i)));
    for (const { event } of finding ? finding.steps : []) {
      if (!flows.includes(this.model.flow[event]) && this.isSeen(event)) painter.ring(this.x(this.at(event)), this.y(event), 8, c.flow);
    }
    if (this.chosen >= 0 && this.isSeen(this.chosen)) {
      painter.line(this.x(this.at(this.chosen)), AXIS, this.x(this.at(this.chosen)), this.height, c.accent);
      painter.ring(this.x(this.at(this.chosen)), this.y(this.chosen), 10, c.accent);
    }
  }

  // Those of the steps in the card, above their marks, where there is room.
  paintNumbers(painter, c, steps) {
    const ends = new Map();
    steps.forEach(({ event }, n) => {
      if (!this.isSeen(event)) return;
      const lane = this.model.lane[event];
      const half = painter.width(String(n + 1), true) / 2;
      const x = this.x(this.at(event));
      if (x - half < (ends.get(lane) ?? -Infinity)) return;
      painter.text(x - half, this.y(event) - (event === this.chosen ? 11 : 9), String(n + 1), c.flow, true);
      ends.set(lane, x + half + 2);
    });
  }

  // The way of one request; returns its events in sight.
  paintFlow(painter, c, flow) {
    const seen = eventsOfFlow(this.model, flow).filter(i => this.isSeen(i)).slice(0, FEW);
    seen.forEach((i, n) => {
      const before = seen[n - 1];
      if (n) painter.line(this.x(this.at(before)), this.y(before), this.x(this.at(i)), this.y(i), c.flow, 2);
    });
    return seen;
  }

  // The shown event nearest to a place, or -1.
  eventAt(x, y) {
    if (y < AXIS) return -1;
    const lane = this.rows[Math.floor((y - AXIS + this.top) / LANE)];
    const [first, last] = this.range();
    const { shown } = this.filter;
    let best = -1;
    let nearest = 14;
    for (let n = first; n < last; n++) {
      const i = shown[n];
      if (this.model.lane[i] !== lane) continue;
      const distance = Math.abs(this.x(this.at(i)) - x) - this.model.level[i];
      if (distance < nearest) [best, nearest] = [i, distance];
    }
    return best;
  }

  listen() {
    const canvas = this.canvas;
    this.scroller.addEventListener('scroll', () => this.draw());
    canvas.addEventListener('wheel', e => {
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        this.zoom(e.deltaY > 0 ? 1.2 : 1 / 1.2, e.offsetX);
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        this.pan(e.deltaX || e.deltaY);
      }
    }, { passive: false });
    let held = null;
    canvas.addEventListener('pointerdown', e => { held = { x: e.clientX, moved: 0 }; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener('pointermove', e => {
      if (!held) return;
      this.pan(held.x - e.clientX);
      held.moved += Math.abs(held.x - e.clientX);
      held.x = e.clientX;
    });
    canvas.addEventListener('pointerup', e => {
      const isClick = held && held.moved < 4;
      held = null;
      const i = isClick ? this.eventAt(e.offsetX, e.offsetY) : -1;
      if (i >= 0) this.onPick(i);
    });
  }
}
