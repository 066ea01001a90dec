package io.verbena.tools.view;

import io.verbena.report.XmlText;
import io.verbena.tools.text.PageParts;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/// Puts the page together: markup, style, scripts and data in one file. Its security policy allows just this style and
/// this script, and no request to anywhere.
final class ViewPage {
    private static final List<String> SCRIPTS = List.of(
            "data.js",
            "theme.js",
            "filter.js",
            "painter.js",
            "marks.js",
            "timeline.js",
            "list.js",
            "details.js",
            "findings.js",
            "keys.js",
            "main.js");

    private ViewPage() {}

    /// @param data as [PageData] makes it
    static String of(String title, byte[] data) {
        String style = read("view.css");
        String script = SCRIPTS.stream().map(ViewPage::read).collect(Collectors.joining("\n", "'use strict';\n", ""));
        return read("view.html")
                .replace("@policy@", policy(style, script))
                .replace("@style@", style)
                .replace("@script@", script)
                .replace("@data@", Base64.getEncoder().encodeToString(data))
                // the last one: it comes from outside and may have any of these words
                .replace("@title@", XmlText.escape(title));
    }

    private static String policy(String style, String script) {
        return "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'"
                .formatted(PageParts.hash(style), PageParts.hash(script));
    }

    private static String read(String name) {
        return PageParts.read(ViewPage.class, name);
    }
}
