/** The use cases, and the backends, connections and locks that they share. */
@NullMarked
package dev.fairlead.application.service;

import org.jspecify.annotations.NullMarked;
