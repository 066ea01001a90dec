// The list of shown events. Only the rows in sight exist, however many events there are.

const ROW = 22;
const TALLEST = 8_000_000; // browsers limit the height of an element

class EventList {
  constructor(model, filter, scroller, onPick) {
    Object.assign(this, { model, filter, scroller, onPick });
    this.space = scroller.querySelector('#space');
    this.table = scroller.querySelector('#rows');
    this.body = this.table.tBodies[0];
    this.nothing = scroller.querySelector('#nothing');
    this.chosen = -1;
    this.story = new Set();
    scroller.addEventListener('scroll', () => this.draw());
    this.body.addEventListener('click', e => {
      const row = e.target.closest('tr');
      if (row) onPick(Number(row.dataset.event));
    });
    this.resize();
  }

  // The chosen row shows all of its text: the last one needs room for it, too.
  resize() {
    const total = this.filter.shown.length;
    this.space.style.height = Math.min(TALLEST, total && (total + 3) * ROW) + 'px';
    this.draw();
  }

  get visible() { return Math.ceil(this.scroller.clientHeight / ROW) + 1; }

  // The first shown row. Of very long lists a pixel stands for several rows.
  first() {
    const total = this.filter.shown.length;
    if (total * ROW <= TALLEST) return Math.floor(this.scroller.scrollTop / ROW);
    const part = this.scroller.scrollTop / (TALLEST - this.scroller.clientHeight);
    return Math.floor(part * (total - this.visible + 2));
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  paint() {
    const { model, filter } = this;
    const first = Math.max(0, this.first());
    const rows = [];
    for (let n = first; n < Math.min(filter.shown.length, first + this.visible); n++) rows.push(this.row(filter.shown[n]));
    this.body.replaceChildren(...rows);
    this.nothing.hidden = filter.shown.length > 0;
    const isExact = filter.shown.length * ROW <= TALLEST;
    this.table.style.top = (isExact ? first * ROW : this.scroller.scrollTop) + 'px';
    this.scroller.setAttribute('aria-label', `${filter.shown.length} of ${model.count} events`);
  }

  row(i) {
    const { model } = this;
    const row = document.createElement('tr');
    row.dataset.event = i;
    row.className = 'level-' + model.level[i] + (i === this.chosen ? ' chosen' : '')
      + (this.story.has(i) ? ' flow' : '');
    const lane = model.lanes[model.lane[i]];
    const cells = [milliseconds(model.time[i]), lane.title, nameOf(model, i), this.text(i)];
    for (const words of cells) row.appendChild(document.createElement('td')).textContent = words;
    row.cells[1].title = lane.title;
    row.cells[3].title = textOf(model, i);
    return row;
  }

  // Without what the lane or the name says already; with what makes a packet stand out.
  text(i) {
    const { model } = this;
    const [queuePair] = /^QP 0x[0-9a-f]+ +/.exec(textOf(model, i)) || [''];
    const isKnown = queuePair && model.lanes[model.lane[i]].title.endsWith(queuePair.trim());
    const text = isKnown ? textOf(model, i).slice(queuePair.length) : textOf(model, i).replace(/^RC [A-Z_]+ +/, '');
    return (isGap(model, i) ? 'behind a gap: ' : isSentAgain(model, i) ? 'sent again: ' : '') + text;
  }

  // story: the events that belong to it.
  choose(i, story) {
    this.chosen = i;
    this.story = story;
    this.show(i);
    this.draw();
  }

  // Scrolls to the event, or to where it would be.
  show(i) {
    const at = firstAt(this.filter.shown, i);
    const total = this.filter.shown.length;
    const first = this.first();
    if (i >= 0 && (at < first || at > first + this.visible - 7)) {
      const wanted = Math.max(0, at - Math.floor(this.visible / 2));
      this.scroller.scrollTop = total * ROW <= TALLEST
        ? wanted * ROW
        : wanted / (total - this.visible + 2) * (TALLEST - this.scroller.clientHeight);
    }
  }
}
