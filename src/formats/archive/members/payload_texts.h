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

#endif
