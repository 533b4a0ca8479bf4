/* Why rules about packages are milder: what a lesser severity is for. */
#ifndef UVET_FORMATS_UPKG_TABLES_LESSER_RULES_H
#define UVET_FORMATS_UPKG_TABLES_LESSER_RULES_H

#define OF_OTHERS "the package is of UE2 or of another licensee, whose engine nobody looked up"
#define EDITOR_ALONE \
	"the editor alone loads the object: its export has neither LoadForClient nor " \
	"LoadForServer"

#endif
