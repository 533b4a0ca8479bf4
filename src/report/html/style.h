/* The style of HTML reports. What may style a page is told to browsers by its digest, so that
 * nothing else can; tests compare the two. */
#ifndef UVET_REPORT_HTML_STYLE_H
#define UVET_REPORT_HTML_STYLE_H

/* clang-format off */
#define HTML_STYLE \
	":root{color-scheme:light dark;--ink:#1b1b1f;--paper:#fdfdfd;--line:#bbb;--bad:#a4000f;--open:#7a4b00;--good:#0b5d2a;" \
	"--box:#f1f1f4}\n" \
	"@media (prefers-color-scheme:dark){:root{--ink:#e8e8ea;--paper:#17171a;--line:#55555c;--bad:#ff9a9f;--open:#f5c26b;" \
	"--good:#7fd99a;" \
	"--box:#232328}}\n" \
	"body{color:var(--ink);background:var(--paper);font:1rem/1.5 system-ui,sans-serif;" \
	"max-width:70rem;margin:1rem auto;padding:0 1rem}\n" \
	"table{border-collapse:collapse;width:100%}\n" \
	"caption{text-align:left}\n" \
	"th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}\n" \
	"h2,h3,p{overflow-wrap:anywhere}\n" \
	"section{border-top:1px solid var(--line);margin-top:2rem}\n" \
	"pre{background:var(--box);padding:.5rem;overflow-x:auto}\n" \
	"svg{width:100%;height:3rem;border:1px solid var(--line)}\n" \
	".invalid,.error{color:var(--bad)}\n" \
	".undetermined,.warning{color:var(--open)}\n" \
	".valid{color:var(--good)}\n" \
	".k1{fill:#4269d0;color:#4269d0}\n" \
	".k2{fill:#efb118;color:#efb118}\n" \
	".k3{fill:#ff725c;color:#ff725c}\n" \
	".k4{fill:#6cc5b0;color:#6cc5b0}\n" \
	".k5{fill:#3ca951;color:#3ca951}\n" \
	".k6{fill:#ff8ab7;color:#ff8ab7}\n" \
	".k7{fill:#a463f2;color:#a463f2}\n" \
	".k8{fill:#97bbf5;color:#97bbf5}\n" \
	".k9{fill:#9c6b4e;color:#9c6b4e}\n" \
	".k10{fill:#9498a0;color:#9498a0}\n" \
	".k11{fill:#c0a000;color:#c0a000}\n" \
	".k12{fill:#b00068;color:#b00068}\n" \
	".mark{fill:var(--bad)}\n"
/* clang-format on */

#define HTML_STYLE_DIGEST "4p4vEFAc4VYVY4frrYaPMhv8AmuyqWuh9aBK/tmXtJg="

#endif
