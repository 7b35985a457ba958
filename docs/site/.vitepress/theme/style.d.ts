/** Style sheets are no values: the build puts them into a file. */
declare module "*.css";
