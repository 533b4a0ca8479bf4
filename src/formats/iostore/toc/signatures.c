/* Whether the two signatures of a signed container are those of the game's developer. Source:
 * conformance/spec/iostore.md, 7.14. */
#include "codec/sha1.h"
#include "core/mutant.h"
#include "formats/iostore/toc/toc.h"

/* How many bytes can be hashed for a unit of work, and how many units it costs to verify two
 * signatures. */
enum { BYTES_A_STEP = 16, VERIFYING = 4096 };

static enum rsa_outcome verify_signature(const struct decode *d, const struct toc *t,
					 enum toc_signature which, const uint8_t *signed_bytes,
					 uint64_t n)
{
	const struct span at = toc_signature_at(t, which);
	const struct held signature = held_part(t->held, at.at, at.len);
	uint8_t digest[SHA1_LEN];

	sha1_of(signed_bytes, n, digest);
	return rsa_verify(&d->keys->signing, signature.bytes, signature.len, digest, sizeof digest);
}

static void verify_both(const struct decode *d, struct toc *t, uint64_t n_digests)
{
	t->signatures[SIGNATURE_HEADER] = verify_signature(d, t, SIGNATURE_HEADER, t->held.bytes,
							   utoc_header_fixed_len);
	t->signatures[SIGNATURE_BLOCKS] = verify_signature(d, t, SIGNATURE_BLOCKS,
							   toc_digests(t).bytes, n_digests);
	t->signatures_judged = true;
}

void toc_decode_signatures(struct decode *d, struct toc *t)
{
	/* mutant: some digests are not signed */
	const uint64_t n_digests = t->n_blocks * (SHA1_LEN - MUTANT(131));

	t->has_signer = d->keys->signing.len > 0;
	if (!t->is_signed || !t->has_signer)
		return;
	if (!sha1_is_available())
		decode_stop_codec(d, UTOC_SIGNATURES, "RSA with SHA-1",
				  t->sections[SECTION_SIGNATURES].at);
	else if (decode_spend(d, UTOC_SIGNATURES, n_digests / BYTES_A_STEP + VERIFYING))
		verify_both(d, t, n_digests);
}
