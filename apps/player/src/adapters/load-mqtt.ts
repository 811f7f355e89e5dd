/** Loaded when it is called. By its default: in a bundle a CommonJS package has no other name. */
export const loadMqtt = async () => (await import('mqtt')).default
