// Two ways to draw the same: on a canvas, and as SVG.

class CanvasPainter {
  constructor(context) { this.context = context; }

  rect(x, y, width, height, color) {
    this.context.fillStyle = color;
    this.context.fillRect(x, y, width, height);
  }

  line(x1, y1, x2, y2, color, width = 1) {
    const c = this.context;
    c.strokeStyle = color;
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    c.stroke();
  }

  shape(points, color) {
    const c = this.context;
    c.fillStyle = color;
    c.beginPath();
    points.forEach(([x, y], i) => i ? c.lineTo(x, y) : c.moveTo(x, y));
    c.fill();
  }

  circle(x, y, radius, color) {
    const c = this.context;
    c.fillStyle = color;
    c.beginPath();
    c.arc(x, y, radius, 0, 7);
    c.fill();
  }

  ring(x, y, radius, color) {
    const c = this.context;
    c.strokeStyle = color;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(x, y, radius, 0, 7);
    c.stroke();
  }

  text(x, y, words, color, bold = false) {
    this.context.font = (bold ? '600 ' : '') + '12px system-ui, sans-serif';
    this.context.fillStyle = color;
    this.context.fillText(words, x, y);
  }

  width(words, bold = false) {
    this.context.font = (bold ? '600 ' : '') + '12px system-ui, sans-serif';
    return this.context.measureText(words).width;
  }

  clip(x, y, width, height) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
  }

  unclip() { this.context.restore(); }
}

class SvgPainter {
  constructor(width, height, measure) {
    this.size = [width, height];
    this.measure = measure;
    this.parts = [];
    this.clips = 0;
  }

  // XML has no way to write control characters.
  static escape(words) {
    return words.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
  }

  static n(number) { return Math.round(number * 10) / 10; }

  rect(x, y, width, height, color) {
    const n = SvgPainter.n;
    this.parts.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${color}"/>`);
  }

  line(x1, y1, x2, y2, color, width = 1) {
    const n = SvgPainter.n;
    this.parts.push(`<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${color}" stroke-width="${width}"/>`);
  }

  shape(points, color) {
    this.parts.push(`<polygon points="${points.map(p => p.map(SvgPainter.n).join(',')).join(' ')}" fill="${color}"/>`);
  }

  circle(x, y, radius, color) {
    this.parts.push(`<circle cx="${SvgPainter.n(x)}" cy="${SvgPainter.n(y)}" r="${radius}" fill="${color}"/>`);
  }

  ring(x, y, radius, color) {
    this.parts.push(`<circle cx="${SvgPainter.n(x)}" cy="${SvgPainter.n(y)}" r="${radius}" fill="none" stroke="${color}" stroke-width="2"/>`);
  }

  text(x, y, words, color, bold = false) {
    const weight = bold ? ' font-weight="600"' : '';
    this.parts.push(`<text x="${SvgPainter.n(x)}" y="${SvgPainter.n(y)}" fill="${color}"${weight}>${SvgPainter.escape(words)}</text>`);
  }

  width(words, bold = false) { return this.measure(words, bold); }

  // All that follows is so much lower.
  move(y) { this.parts.push(`<g transform="translate(0 ${y})">`); }

  moveBack() { this.parts.push('</g>'); }

  clip(x, y, width, height) {
    const id = 'clip' + this.clips++;
    this.parts.push(`<clipPath id="${id}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#${id})">`);
  }

  unclip() { this.parts.push('</g>'); }

  document(title) {
    const [width, height] = this.size;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" `
      + `font-family="system-ui, sans-serif" font-size="12"><title>${SvgPainter.escape(title)}</title>\n${this.parts.join('\n')}\n</svg>\n`;
  }
}
