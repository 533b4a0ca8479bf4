/* What rules say of compressed members, and of files that are compressed as a whole. */
#ifndef UVET_FORMATS_ARCHIVE_MEMBERS_PAYLOAD_TEXTS_H
#define UVET_FORMATS_ARCHIVE_MEMBERS_PAYLOAD_TEXTS_H

#define ARC013_TEXTS \
	.class = CLASS_CORRUPTION, .sign = SIGN_DATA, \
	.title = "The compressed bytes of a member shall be a whole stream.", \
	.message = "the compressed bytes of {0}, {1}, cannot be decoded, or end before the file " \
		   "does", \
	.data = "name packed", .why = "The file cannot be unpacked.", \
	.fix = "Players: get the archive again. Authors: pack it again, and test it before you " \
	       "publish it.", \
	.spec = "archive.md#3.3"

#define ARC018_TEXTS \
	.class = CLASS_RESOURCE, \
	.title = "A member should not decompress to more than 200 times its size.", \
	.message = "{0} has {1} and decompresses to {2}", .data = "name packed size", \
	.why = "It fills the disk of whoever unpacks it without a look. A file of zeros does so " \
	       "honestly.", \
	.fix = "Players: see whether your disk has room for it. Authors: nothing, if the file is " \
	       "so; else pack it again.", \
	.spec = "archive.md#1.11"

#define ARC180_TEXTS \
	.class = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING, \
	.lesser_when = "it has no bytes", \
	.title = "A member with bytes shall be a file, or a link, by all that is said of it.", \
	.message = "{0}, of {1}, is {2}, and a file by what else is said of it", \
	.data = "name size what", \
	.why = "Some programs write a file, and others a folder or a link in its place: what a " \
	       "scanner looks at need not be what is installed.", \
	.fix = "Players: do not use the archive, if the member has bytes. Authors: pack it again " \
	       "with a common program.", \
	.spec = "archive.md#2.22"

#endif
