// Reads the data of the page into columns: one array of numbers for each property of the events.

const ARRAYS = { 8: BigInt64Array, 4: Int32Array, 1: Uint8Array };
const KINDS = ['call', 'refused call', 'completion', 'event', 'packet', 'acknowledgement', 'recorded event'];

async function readData(element) {
  const text = atob(element.textContent);
  element.remove();
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getInt32(0, true);
  const model = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let at = Math.ceil((4 + length) / 8) * 8;
  for (const column of model.columns) {
    // Columns of long values come first, so each one is aligned.
    model[column.name] = new ARRAYS[column.bytes](buffer, at, model.count);
    at += model.count * column.bytes;
  }
  const times = new Float64Array(model.count);
  for (let i = 0; i < model.count; i++) times[i] = Number(model.time[i]);
  model.time = times;
  model.end = model.count ? times[model.count - 1] : 0;
  groupFlows(model);
  return model;
}

// The events of each request: those of request f are flowItems[flowStart[f]] to flowItems[flowStart[f + 1] - 1].
function groupFlows(model) {
  let flows = 0;
  for (let i = 0; i < model.count; i++) if (model.flow[i] >= flows) flows = model.flow[i] + 1;
  const start = new Int32Array(flows + 1);
  for (let i = 0; i < model.count; i++) if (model.flow[i] >= 0) start[model.flow[i] + 1]++;
  for (let f = 0; f < flows; f++) start[f + 1] += start[f];
  const next = start.slice();
  const items = new Int32Array(start[flows]);
  for (let i = 0; i < model.count; i++) if (model.flow[i] >= 0) items[next[model.flow[i]]++] = i;
  model.flowStart = start;
  model.flowItems = items;
  model.acknowledgedBy = new Map();
  for (let i = 0; i < model.acknowledged.length; i += 2) {
    model.acknowledgedBy.set(model.acknowledged[i], model.acknowledged[i + 1]);
  }
}

function eventsOfFlow(model, flow) {
  if (flow < 0) return [];
  const events = Array.from(model.flowItems.subarray(model.flowStart[flow], model.flowStart[flow + 1]));
  const other = model.acknowledgedBy.get(flow);
  if (other !== undefined) events.push(other);
  return events.sort((a, b) => a - b);
}

// A finding that the event is part of.
function findingOf(model, i) {
  return model.findings.find(f => f.event === i) || model.findings.find(f => f.steps.some(s => s.event === i));
}

// What belongs together: the request of an event and, of its finding, all steps and the requests that it is about, which
// are those of which it names more than one event.
function storyOf(model, i, finding) {
  const named = new Map([[model.flow[i], 2]]);
  const events = new Set([i]);
  if (finding) {
    named.set(model.flow[finding.event], 2);
    for (const { event } of finding.steps) {
      events.add(event);
      named.set(model.flow[event], (named.get(model.flow[event]) || 0) + 1);
    }
  }
  named.delete(-1);
  const flows = Array.from(named.keys()).filter(flow => named.get(flow) > 1);
  for (const flow of flows) for (const event of eventsOfFlow(model, flow)) events.add(event);
  return { finding, flows, events };
}

function inOrder(events) { return Array.from(events).sort((a, b) => a - b); }

function nameOf(model, i) { return model.words[model.name[i]]; }

function textOf(model, i) {
  const text = model.texts[model.text[i]];
  if (model.psn[i] >= 0) return text.replace('psn={p}', 'psn=' + model.psn[i]);
  return model.hasWrId[i] ? text.replace('wr_id {w}', 'wr_id ' + model.wrId[i]) : text;
}

function noteOf(model, i) { return model.texts[model.note[i]]; }

// Of packets: numbers before it are missing.
function isGap(model, i) { return model.kind[i] === 4 && / missing before this packet/.test(noteOf(model, i)); }

function isSentAgain(model, i) { return model.kind[i] === 4 && noteOf(model, i).startsWith('Sent again: '); }

function milliseconds(ns) { return (ns / 1e6).toFixed(3); }

function hex(number) { return '0x' + number.toString(16); }

// The first event that is not earlier.
function firstAt(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}
