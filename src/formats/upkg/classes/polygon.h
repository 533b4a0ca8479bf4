/* Polygons: how many vertices they have. */
#ifndef UVET_FORMATS_UPKG_CLASSES_POLYGON_H
#define UVET_FORMATS_UPKG_CLASSES_POLYGON_H

/* What the engine's array holds, which is as many for a node. */
enum { POLY_VERTICES_MIN = 3, POLY_VERTICES_MAX = 16 };

#endif
