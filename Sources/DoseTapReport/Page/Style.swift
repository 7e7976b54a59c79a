/// The style of the page. Pictures carry their colours as attributes too: WeasyPrint draws by the attributes, and a dark screen
/// recolours by the classes.
enum Style {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--bg:#fbfaf7;--ink:#1c1f23;--soft:#55595f;--line:#d9d5ca}
        *{box-sizing:border-box}
        body{background-color:var(--bg);color:var(--ink);font:16px/1.5 system-ui,"Liberation Sans","DejaVu Sans",sans-serif;margin:0 auto;max-width:60rem;padding:2.5rem 1.25rem 4rem}
        h1{font-size:1.7rem;font-weight:600;margin:0;letter-spacing:-.01em}
        h2{font-size:1.08rem;font-weight:600;margin:2.6rem 0 .1rem}
        p{max-width:44rem;margin:.2rem 0 .8rem}
        .soft,caption{color:var(--soft);font-size:.9rem}
        caption{text-align:left;padding:.3rem 0}
        figure{margin:.6rem 0 0}
        figure:focus-visible,.x:focus-visible{outline:2px solid currentColor}
        .x{overflow-x:auto}
        svg{display:block;width:100%;height:auto;overflow:visible}
        svg.s{display:inline-block;width:32%;margin:.4rem .3% .6rem 0;vertical-align:top}
        svg text{font-variant-numeric:tabular-nums}
        dl{margin:1.4rem 0 0;border:solid;border-width:1px 0;border-color:var(--line);padding:.9rem 0 .7rem}
        dl div{display:inline-block;width:19.2%;vertical-align:top;padding-right:.6rem}
        dl.six div{width:32%;margin-bottom:.5rem}
        dt{color:var(--soft);font-size:.85rem}
        dd{margin:0;font-size:1.5rem;font-weight:600;line-height:1.25;font-variant-numeric:tabular-nums}
        small{display:block;font-size:.8rem;font-weight:400;color:var(--soft)}
        table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;margin:.6rem 0 1.4rem}
        th,td{text-align:right;font-weight:400;padding:.16rem .7rem .16rem 0;border:solid;border-width:0 0 1px;border-color:var(--line);vertical-align:bottom}
        th:first-child,td:first-child,.l{text-align:left}
        tbody th,tbody td,.s caption{white-space:nowrap}
        thead th{color:var(--soft);font-weight:600}
        summary{cursor:pointer;color:var(--soft);font-size:.9rem;padding:.3rem 0}
        summary:focus-visible{outline:2px solid currentColor;outline-offset:3px}
        code{font-family:"Liberation Mono","DejaVu Sans Mono",monospace}
        @media(max-width:640px){svg.s,dl div,dl.six div{width:49%;margin-bottom:.5rem}figure.w{overflow-x:auto}figure.w>svg{width:46rem}}
        .more{display:none}@media screen and (max-width:640px){.more{display:block}}
        @media(max-width:480px){svg.s{width:100%;margin-right:0}}
        @media screen and (prefers-color-scheme:dark){:root{--bg:#14171a;--ink:#e6e3dc;--soft:#a9adb2;--line:#33383d}
        .t{fill:#a9adb2}.n{fill:#e6e3dc}.band{fill:#1f2b25}.grid{stroke:#33383d}.edge{stroke:#84a78f}.med{stroke:#e6e3dc}.on,.pill{fill:#7db8e0}.b1{stroke:#7db8e0}.dose2{stroke:#f0a26b}.off{fill:#14171a;stroke:#f0a26b}.offl{stroke:#f0a26b}.sleep{fill:#66727d}.rec{fill:#7c9189}.nap{fill:#c3ccd4}.halo{stroke:#14171a}.pt{fill:#8a96a2}.hyp{stroke:#b4bec8}.we{fill:#93a3b3}}
        @media print{:root{color-scheme:light}@page{size:A4;margin:14mm 14mm 16mm}
        body{padding:0;max-width:none;font-size:10pt;background-color:#fff}
        h2{margin-top:1.3rem;break-after:avoid}section.keep,figure,dl{break-inside:avoid}
        summary{display:none}details::details-content{display:block;content-visibility:visible;block-size:auto}
        table,caption{font-size:7pt}th,td{padding-right:.3rem}#nights-table{font-size:6pt}#nights-table th,#nights-table td{padding-right:.22rem}h2{margin-top:1rem}thead{display:table-header-group}tr{break-inside:avoid}.x{overflow:visible}}
        """
}
