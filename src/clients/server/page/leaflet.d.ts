/* The names of Leaflet that the page uses, without their types: Debian's libjs-leaflet has none. */
export const map: any, CRS: any, Transformation: any, Layer: any, DomUtil: any, circleMarker: any, layerGroup: any, polyline: any, rectangle: any;
