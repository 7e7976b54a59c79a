extension Markup {
    /// Adds the head of a page that has no script and loads nothing.
    mutating func pageHead(title: String, style: (inout Markup) -> Void) {
        void("meta", ["charset": "utf-8"])
        void("meta", ["name": "viewport", "content": "width=device-width,initial-scale=1"])
        void(
            "meta",
            [
                "http-equiv": "Content-Security-Policy",
                "content": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
            ])
        void("meta", ["name": "referrer", "content": "no-referrer"])
        element("title", title)
        put("<style>")
        style(&self)
        put("</style>")
    }
}
