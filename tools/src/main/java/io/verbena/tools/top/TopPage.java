package io.verbena.tools.top;

import io.verbena.tools.text.PageParts;
import java.nio.charset.StandardCharsets;

/// The page: markup, style and script in one, and the security policy that allows just these.
final class TopPage {
    private final byte[] page;
    private final String policy;

    TopPage() {
        String style = read("top.css");
        String script = read("top.js");
        page = read("top.html")
                .replace("@style@", style)
                .replace("@script@", script)
                .getBytes(StandardCharsets.UTF_8);
        policy =
                ("default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; connect-src 'self'; img-src data:;"
                                + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
                        .formatted(PageParts.hash(style), PageParts.hash(script));
    }

    byte[] bytes() {
        return page;
    }

    /// For the header `Content-Security-Policy`.
    String policy() {
        return policy;
    }

    private static String read(String name) {
        return PageParts.read(TopPage.class, name);
    }
}
