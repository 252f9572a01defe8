// @ts-check
/* Starts the page where all of it is one HTML file: each module becomes an address of the browser's own. */
(function () {
    const held = document.getElementById("modules");
    const /** @type {Record<string, string>} */ texts = JSON.parse(held && held.textContent || "{}");
    const /** @type {Record<string, string>} */ made = {};
    /**
     * @param {string} name
     * @returns {string}
     */
    function address(name) {
        if (!made[name]) {
            const text = texts[name].replace(/(from |import )"\.\/([a-z_]+\.js)"/g, (_, word, other) => word + '"' + address(other) + '"');
            made[name] = URL.createObjectURL(new Blob([text], {type: "text/javascript"}));
        }
        return made[name];
    }
    import(address("main.js"));
})();
