/* The tag of packages: the first bytes of those that are no zen packages, and the last of those
 * that are, since 5.3. Source: conformance/spec/upkg.md, 2, and zen.md, 9. */
#ifndef UVET_CORE_PACKAGE_TAG_H
#define UVET_CORE_PACKAGE_TAG_H

#define PACKAGE_TAG 0x9E2A83C1u
#define PACKAGE_TAG_SWAPPED 0xC1832A9Eu /* where the highest byte of numbers is the first */

#endif
