/** A client of the API server. */
@NullMarked
package dev.fairlead.adapter.k8s.api;

import org.jspecify.annotations.NullMarked;
