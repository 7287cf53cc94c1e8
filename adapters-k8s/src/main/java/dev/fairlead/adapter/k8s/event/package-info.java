/** Events about this process' pod. */
@NullMarked
package dev.fairlead.adapter.k8s.event;

import org.jspecify.annotations.NullMarked;
