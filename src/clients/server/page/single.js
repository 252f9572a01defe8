// @ts-check
/* Starts the page if all of it is one HTML file. Each JavaScript module becomes a blob with an address of its own, and an
 * import map names these addresses. So modules can import each other in a circle, as modules in files can. */
(function () {
    const held = document.getElementById("modules");
    const /** @type {Record<string, string>} */ texts = JSON.parse(held && held.textContent || "{}");
    const /** @type {Record<string, string>} */ imports = {};
    for (const [name, text] of Object.entries(texts)) {
        /* Relative addresses do not work from a blob, so they become plain names, which the import map knows. */
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
