// node zip_writer.js WRITER TREE OUT packs a folder with a package of node's; without a folder it prints the package's version. Exit status 3: the
// package is not there (NODE_PATH says where packages are).
"use strict";
const fs = require("fs");
const path = require("path");

const [name, tree, out] = process.argv.slice(2);
let library;
try {
	library = require(name);
} catch {
	process.exit(3);
}

function versionOf() {
	let folder = path.dirname(require.resolve(name));
	while (!fs.existsSync(path.join(folder, "package.json")) || path.basename(folder) !== name)
		folder = path.dirname(folder);
	return JSON.parse(fs.readFileSync(path.join(folder, "package.json"))).version;
}

function files(folder, prefix) {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory() ? files(path.join(folder, entry.name), `${prefix}${entry.name}/`)
			: [[`${prefix}${entry.name}`, fs.readFileSync(path.join(folder, entry.name))]]);
}

const writers = {
	async jszip() {
		const zip = new library();
		for (const [member, data] of files(tree, ""))
			zip.file(member, data);
		fs.writeFileSync(out, await zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE", streamFiles: true }));
	},
	async "adm-zip"() {
		const zip = new library();
		zip.addLocalFolder(tree);
		zip.writeZip(out);
	},
	async archiver() {
		const options = { zlib: { level: 9 } };
		const zip = library.ZipArchive ? new library.ZipArchive(options) : library("zip", options);
		const done = new Promise((resolve, reject) => zip.on("error", reject) && zip.pipe(fs.createWriteStream(out)).on("close", resolve));
		zip.directory(tree, false);
		await zip.finalize();
		await done;
	},
	async yazl() {
		const zip = new library.ZipFile();
		for (const [member, data] of files(tree, ""))
			zip.addBuffer(data, member);
		zip.end();
		await new Promise((resolve) => zip.outputStream.pipe(fs.createWriteStream(out)).on("close", resolve));
	},
	async fflate() {
		fs.writeFileSync(out, library.zipSync(Object.fromEntries(files(tree, "").map(([member, data]) => [member, new Uint8Array(data)]))));
	},
};

if (tree === undefined)
	console.log(versionOf());
else
	writers[name]();
