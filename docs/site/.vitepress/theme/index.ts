/** The look of the site: that of VitePress, with wide tables and code that fit our pages. */

import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

export default DefaultTheme;
