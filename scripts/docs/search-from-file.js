/* The search of pages that are opened as files, without a server. A browser then neither loads the index nor starts
 * the worker of the theme. So the index stands in this script (the line below is filled in by hooks.py), and the
 * worker's script runs in an empty frame instead. */
var __search = { index: Promise.resolve(INDEX) };

window.Worker = class extends EventTarget {
    constructor(url) {
        super();
        const frame = document.createElement("iframe");
        frame.hidden = true;
        document.body.appendChild(frame);
        this.inside = frame.contentWindow;
        this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        this.ready = new Promise((resolve) => {
            const script = frame.contentDocument.createElement("script");
            script.src = url;
            script.onload = resolve;
            frame.contentDocument.body.appendChild(script);
        });
    }
    postMessage(data) {
        this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
};
