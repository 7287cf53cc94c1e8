/** Answers for the volumes of a LINSTOR, and passes on its hints. */
@NullMarked
package dev.fairlead.adapter.linstor.source;

import org.jspecify.annotations.NullMarked;
