// What is known about the chosen event.

function make(tag, className, words) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (words !== undefined) element.textContent = words;
  return element;
}

class Details {
  constructor(model, body, onPick, onOnly) {
    Object.assign(this, { model, body, onPick, onOnly });
    body.addEventListener('click', e => {
      const step = e.target.closest('[data-event]');
      if (step) onPick(Number(step.dataset.event));
    });
  }

  // story: what belongs to the event.
  show(i, story) {
    const { model } = this;
    this.body.replaceChildren();
    this.add(make('h2', '', model.lanes[model.lane[i]].title));
    this.add(make('strong', '', nameOf(model, i)));
    const note = noteOf(model, i);
    if (note && !(story.finding && story.finding.event === i)) this.add(make('p', 'note level-' + model.level[i], note));
    if (story.finding) this.cause(i, story);
    this.states(i);
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

  // What led to the finding.
  cause(i, story) {
    const { finding } = story;
    this.heading('What led to: ' + finding.title, 'Show only this (o)', story.events);
    finding.steps.forEach((step, n) => {
      if (finding.more && n === finding.moreAt) this.add(make('p', 'hint', `and ${finding.more} more steps`));
      this.step(step.event, i, step.why);
    });
  }

  heading(words, action, events) {
    const only = this.add(make('h2', '', words + ' ')).appendChild(make('button', '', action));
    only.type = 'button';
    only.addEventListener('click', () => this.onOnly(events));
  }

  follow(i) {
    const { model } = this;
    const events = eventsOfFlow(model, model.flow[i]);
    if (events.length < 2) return;
    this.heading('This request, from post to end', 'Show only this request', new Set(events));
    const most = 60;
    let before = events[0];
    for (const event of events.slice(0, most)) {
      this.step(event, i, '+' + milliseconds(model.time[event] - model.time[before]) + ' ms');
      before = event;
    }
    if (events.length > most) this.add(make('p', 'hint', `and ${events.length - most} more`));
  }

  step(event, chosen, why) {
    const { model } = this;
    const button = make('button', 'step level-' + model.level[event] + (event === chosen ? ' chosen' : ''));
    button.type = 'button';
    button.dataset.event = event;
    const number = model.psn[event] >= 0 ? `PSN ${model.psn[event]} ` : model.hasWrId[event] ? `wr_id ${model.wrId[event]} ` : '';
    button.append(make('span', '', nameOf(model, event) + ' ' + number), make('small', '', model.lanes[model.lane[event]].title),
      document.createElement('br'), make('small', '', milliseconds(model.time[event]) + ' ms · ' + why));
    this.add(button);
  }

  // Each queue pair as it was: its last event that is not later.
  states(i) {
    const { model } = this;
    const last = new Map();
    for (let e = 0; e <= i; e++) if (model.receives[e] >= 0) last.set(model.lane[e], e);
    if (!last.size) return;
    this.add(make('h2', '', 'Queue pairs at this moment'));
    const table = this.add(make('table'));
    const head = table.insertRow();
    for (const words of ['', 'state', 'receives posted', 'requests outstanding']) head.appendChild(make('th', '', words));
    for (const [lane, e] of Array.from(last).slice(0, 20)) {
      const row = table.insertRow();
      for (const words of [model.lanes[lane].title, model.words[model.state[e]] || 'unknown', model.receives[e],
        model.outstanding[e]]) row.appendChild(make('td', '', words));
    }
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
