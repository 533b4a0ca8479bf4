/* Flags of names and exports. Source: UnObjBas.h. */
#ifndef UVET_FORMATS_UPKG_TABLES_FLAGS_H
#define UVET_FORMATS_UPKG_TABLES_FLAGS_H

#define UPKG_PUBLIC 0x00000004u          /* RF_Public: other packages may refer to the object */
#define UPKG_LOAD_FOR_CLIENT 0x00010000u /* who loads the name, or makes the object */
#define UPKG_LOAD_FOR_SERVER 0x00020000u
#define UPKG_LOAD_FOR_EDIT 0x00040000u
#define UPKG_HAS_STACK 0x02000000u /* RF_HasStack: the body begins with a state frame */
#define UPKG_NATIVE 0x04000000u    /* RF_Native */

#endif
