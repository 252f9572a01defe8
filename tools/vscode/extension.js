// Portolan in Visual Studio Code: starts `portolan lsp` for the folders that are open. See README.md.
"use strict";
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
    const settings = workspace.getConfiguration("portolan");
    const folders = (workspace.workspaceFolders || []).map((folder) => folder.uri.fsPath);
    const args = ["lsp", ...settings.get("arguments", []), ...folders];
    client = new LanguageClient(
        "portolan", "Portolan",
        { command: settings.get("command", "portolan"), args },
        {
            documentSelector: ["json", "jsonc"].map((language) => ({ scheme: "file", language })),
            synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.json") },
        });
    return client.start();
};

exports.deactivate = function () {
    return client && client.stop();
};
