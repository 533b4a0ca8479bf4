/* Why rules about packages are milder: what a lesser severity is for. */
#ifndef UVET_FORMATS_UPKG_TABLES_LESSER_RULES_H
#define UVET_FORMATS_UPKG_TABLES_LESSER_RULES_H

#define OF_OTHERS "the package is of UE2 or of another licensee, whose engine was not examined"
#define EDITOR_ALONE \
	"only the editor loads the object: its export has neither LoadForClient nor " \
	"LoadForServer"

#endif
