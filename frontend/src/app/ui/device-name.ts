// Names of devices as people say them. Pure.

/** "/job:localhost/replica:0/task:0/device:CPU:0" -> "CPU:0" */
export function shortDevice(name: string): string {
  return /device:([^/]+)$/i.exec(name)?.[1] ?? name;
}
