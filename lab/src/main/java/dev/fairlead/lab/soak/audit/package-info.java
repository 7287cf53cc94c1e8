/**
 * Looks for what volumes leave in the cluster, on the storage host and on the nodes, and what was decided of devices.
 */
@NullMarked
package dev.fairlead.lab.soak.audit;

import org.jspecify.annotations.NullMarked;
