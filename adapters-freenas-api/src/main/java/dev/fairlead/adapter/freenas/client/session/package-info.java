/** A session of one box, whichever transport it uses, and what comes back from it. */
@NullMarked
package dev.fairlead.adapter.freenas.client.session;

import org.jspecify.annotations.NullMarked;
