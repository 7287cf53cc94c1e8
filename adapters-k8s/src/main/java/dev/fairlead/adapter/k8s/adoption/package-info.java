/** Makes PersistentVolumes of kubevirt's former hostpath provisioner volumes of a CSI driver, and back. */
@NullMarked
package dev.fairlead.adapter.k8s.adoption;

import org.jspecify.annotations.NullMarked;
