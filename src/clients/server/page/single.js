// @ts-check
/* Starts the page where all of it is one HTML file: each module becomes an address of the browser's own, and an import map
 * gives it its name, so modules may import each other in a circle as those of files may. */
(function () {
    const held = document.getElementById("modules");
    const /** @type {Record<string, string>} */ texts = JSON.parse(held && held.textContent || "{}");
    const /** @type {Record<string, string>} */ imports = {};
    for (const [name, text] of Object.entries(texts)) {
        /* Relative to such an address nothing is found; a plain name is looked up in the map. */
        const plain = text.replace(/(\b(?:from|import)\s*\(?\s*)"\.\/([\w.-]+\.js)"/g, '$1"$2"');
        imports[name] = URL.createObjectURL(new Blob([plain], {type: "text/javascript"}));
    }
    const map = document.createElement("script");
    map.type = "importmap";
    map.textContent = JSON.stringify({imports});
    document.head.append(map);
    const first = "main.js";
    import(first);
})();
