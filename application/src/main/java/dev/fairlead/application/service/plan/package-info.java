/** What a request asks of a connection, decided without asking its storage, and how volumes are shown to callers. */
@NullMarked
package dev.fairlead.application.service.plan;

import org.jspecify.annotations.NullMarked;
