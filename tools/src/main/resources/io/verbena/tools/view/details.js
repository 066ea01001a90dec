// What is known about the chosen event.

function make(tag, className, words) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (words !== undefined) element.textContent = words;
  return element;
}

function button(words, action) {
  const element = make('button', '', words);
  element.type = 'button';
  element.addEventListener('click', action);
  return element;
}

// Leads to an event.
function stepButton(model, event, number, words, more, onPick) {
  const step = button('', () => onPick(event));
  step.className = 'step level-' + model.level[event];
  step.dataset.event = event;
  const place = `${milliseconds(model.time[event])} ms · ${model.lanes[model.lane[event]].title}`;
  step.append(make('b', '', number), make('span', '', words), make('small', '', `${place} · ${more}`));
  return step;
}

function nameAndNumber(model, i) {
  const number = model.psn[i] >= 0 ? ` PSN ${model.psn[i]}` : model.hasWrId[i] ? ` wr_id ${model.wrId[i]}` : '';
  return nameOf(model, i) + number;
}

class Details {
  constructor(model, body, onPick, onOnly) { Object.assign(this, { model, body, onPick, onOnly }); }

  // story: what belongs to the event.
  show(i, story) {
    const { model } = this;
    this.body.replaceChildren();
    this.add(make('h2', '', `Chosen: ${nameOf(model, i)}, ${model.lanes[model.lane[i]].title}`));
    const note = noteOf(model, i);
    if (note && !(story.finding && story.finding.event === i)) this.add(make('p', 'note level-' + model.level[i], note));
    this.states(i, story);
    this.keys(i);
    this.facts(i);
    this.follow(i);
  }

  add(element) { this.body.appendChild(element); return element; }

  facts(i) {
    const { model } = this;
    const isPacket = model.kind[i] === 4 || model.kind[i] === 5;
    const rows = [
      ['time', milliseconds(model.time[i]) + ' ms'],
      ['kind', KINDS[model.kind[i]]],
      ['operation', model.words[model.operation[i]]],
      ['status', model.words[model.status[i]]],
      [isPacket ? 'sent by' : 'queue pair', [model.lanes[model.lane[i]].address, model.qp[i] >= 0 ? 'QP ' + hex(model.qp[i]) : ''].join(' ').trim()],
      ['wr_id', model.hasWrId[i] ? String(model.wrId[i]) : ''],
      ['PSN', model.psn[i] >= 0 ? String(model.psn[i]) : ''],
      [isPacket ? 'packet, qp= is the receiver' : 'text', textOf(model, i)],
    ];
    const list = this.add(make('dl'));
    for (const [name, value] of rows) if (value) list.append(make('dt', '', name), make('dd', '', value));
  }

  follow(i) {
    const { model } = this;
    const events = eventsOfFlow(model, model.flow[i]);
    if (events.length < 2) return;
    this.add(make('h2', '', 'This request, from post to end ')).append(button('Show only this request', () => this.onOnly(new Set(events))));
    const most = 60;
    let before = events[0];
    events.slice(0, most).forEach((event, n) => {
      const step = this.add(stepButton(model, event, n + 1, nameAndNumber(model, event),
        `+${milliseconds(model.time[event] - model.time[before])} ms`, this.onPick));
      step.classList.toggle('chosen', event === i);
      before = event;
    });
    if (events.length > most) this.add(make('p', 'hint', `and ${events.length - most} more`));
  }

  // Each queue pair as it was: its last event that is not later. Those that the event is about come first.
  states(i, story) {
    const { model } = this;
    const last = new Map();
    for (let e = 0; e <= i; e++) if (model.receives[e] >= 0) last.set(model.lane[e], e);
    if (!last.size) return;
    this.add(make('h2', '', 'Queue pairs at this moment'));
    const table = this.add(make('table'));
    const head = table.insertRow();
    for (const words of ['', 'state', 'receives posted', 'requests outstanding']) head.appendChild(make('th', '', words));
    const own = new Set(Array.from(story.events, event => model.lane[event]));
    const sorted = Array.from(last).sort(([a], [b]) => own.has(b) - own.has(a));
    for (const [lane, e] of sorted.slice(0, 20)) {
      const row = table.insertRow();
      for (const words of [model.lanes[lane].title, this.stateOf(lane, e, i), model.receives[e],
        model.outstanding[e]]) row.appendChild(make('td', '', words));
    }
    if (last.size > 20) this.add(make('p', 'hint', `and ${last.size - 20} more`));
  }

  // Behind the end of a trace nothing tells whether it is still so.
  stateOf(lane, e, i) {
    const { model } = this;
    const state = model.words[model.state[e]] || 'unknown';
    const side = model.lanes[lane].group;
    return model.ends.some(end => end <= i && model.lanes[model.lane[end]].group === side) ? `${state} (last known)` : state;
  }

  keys(i) {
    const { model } = this;
    const open = model.regions.filter(r => r.from <= i && (r.to < 0 || r.to > i));
    if (!open.length) return;
    this.add(make('h2', '', 'Memory keys at this moment'));
    const table = this.add(make('table'));
    const head = table.insertRow();
    for (const words of ['', 'rkey', 'rights']) head.appendChild(make('th', '', words));
    const text = textOf(model, i);
    for (const region of open.slice(0, 20)) {
      const row = table.insertRow();
      if (region.rkey && text.includes('rkey ' + region.rkey) || text.includes('lkey ' + region.lkey)) row.className = 'meant';
      row.appendChild(make('td', '', region.side));
      row.appendChild(make('td', '', region.rkey || 'none'));
      const rights = row.appendChild(make('td', '', region.access.replaceAll('|', ', ') || 'none'));
      const place = region.address ? ` at ${region.address}` : '';
      rights.append(document.createElement('br'), make('small', '', `${region.bytes} bytes${place}, lkey ${region.lkey}`));
    }
    if (open.length > 20) this.add(make('p', 'hint', `and ${open.length - 20} more`));
  }
}
