/** The certificate authorities that this process trusts. */
@NullMarked
package dev.fairlead.bootstrap.trust;

import org.jspecify.annotations.NullMarked;
